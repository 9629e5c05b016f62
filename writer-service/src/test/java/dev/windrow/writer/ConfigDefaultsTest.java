package dev.windrow.writer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.HashMap;
import java.util.Map;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import dev.windrow.writer.operate.OperationRoutes.ManagementConfig;
import dev.windrow.writer.table.JournalConfig;
import dev.windrow.writer.table.StoreConfig;
import io.quarkus.runtime.configuration.ConfigurationException;
import io.smallrye.config.PropertiesConfigSource;
import io.smallrye.config.SmallRyeConfig;
import io.smallrye.config.SmallRyeConfigBuilder;

/** What follows from settings that are left out or wrong; names and defaults are those of the page of the configuration. */
class ConfigDefaultsTest {

    private static final Map<String, String> REQUIRED = Map.of("windrow.datasets-file", "datasets.yaml");

    @ParameterizedTest
    @CsvSource({ "clicks, clicks-dlq", "clicks.fifo, clicks-dlq.fifo",
            "https://sqs.eu-west-1.amazonaws.com/1/clicks, https://sqs.eu-west-1.amazonaws.com/1/clicks-dlq" })
    void theDeadLetterQueueIsThatOfTheQueueUnlessItIsSet(String queue, String deadLetterQueue) {
        Map<String, String> settings = new HashMap<>(REQUIRED);
        settings.put("windrow.writer.queue", queue);
        assertThat(config(settings).getConfigMapping(WriterConfig.class).deadLetterQueue()).isEqualTo(deadLetterQueue);

        settings.put("windrow.writer.dead-letter-queue", "rejected");
        assertThat(config(settings).getConfigMapping(WriterConfig.class).deadLetterQueue()).isEqualTo("rejected");
    }

    @Test
    void theDatasetsFileIsRequired() {
        assertThatThrownBy(() -> config(Map.of())).hasMessageContaining("windrow.datasets-file");
    }

    @Test
    void theDefaultsAreInRange() {
        assertThatCode(() -> check(Map.of())).doesNotThrowAnyException();
    }

    /** The writer does not start then, and says which one it is. */
    @ParameterizedTest
    @CsvSource(delimiter = ';', value = {
            "windrow.table; my table; 3 to 255 letters, digits, '_', '-' or '.'",
            "windrow.writer.drain-timeout; 0s; more than 0s",
            "windrow.writer.source.max-bytes; 1M; 2M or more, found 1M",
            "windrow.writer.aggregate.max-age; 0s; more than 0s",
            "windrow.writer.store.max-write-units; -1.0; more than 0",
            "windrow.writer.journal.write-every.day; 61m; more than 0s, at most 1h",
            "windrow.writer.journal.write-every.fortnight; 1s; one of second, minute, " })
    void aValueOutsideOfItsRangeStopsTheStart(String key, String value, String range) {
        assertThatThrownBy(() -> check(Map.of(key, value))).isInstanceOf(ConfigurationException.class)
                .hasMessageStartingWith(key + ": expected " + range);
    }

    private static void check(Map<String, String> settings) {
        Map<String, String> all = new HashMap<>(REQUIRED);
        all.putAll(settings);
        WriterService.checkSettings(config(all));
    }

    private static SmallRyeConfig config(Map<String, String> settings) {
        return new SmallRyeConfigBuilder().addDiscoveredConverters()
                .withMapping(WriterConfig.class).withMapping(QueueConfig.class)
                .withMapping(StoreConfig.class).withMapping(JournalConfig.class)
                .withMapping(ManagementConfig.class)
                .withSources(new PropertiesConfigSource(settings, "test", 100)).build();
    }
}
