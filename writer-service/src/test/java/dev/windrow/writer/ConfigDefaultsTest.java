package dev.windrow.writer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import dev.windrow.writer.operate.OperationRoutes.ManagementConfig;
import dev.windrow.writer.queue.QueueConfig;
import dev.windrow.writer.table.JournalConfig;
import dev.windrow.writer.table.StoreConfig;
import io.smallrye.config.PropertiesConfigSource;
import io.smallrye.config.SmallRyeConfig;
import io.smallrye.config.SmallRyeConfigBuilder;

/** Names and defaults of settings are a contract with whoever runs a writer. */
class ConfigDefaultsTest {

    private static final Map<String, String> REQUIRED = Map.of("windrow.datasets-file", "datasets.yaml");

    @Test
    void theServiceHasTheContractsNames() {
        WriterConfig config = config(REQUIRED).getConfigMapping(WriterConfig.class);
        assertThat(config.datasetsFile()).isEqualTo(Path.of("datasets.yaml"));
        assertThat(config.table()).isEqualTo("windrow");
        assertThat(config.queue()).isEqualTo("windrow-events");
        assertThat(config.queues()).isEmpty();
        assertThat(config.deadLetterQueue()).isEqualTo("windrow-events-dlq");
        assertThat(config.acceptDatasets()).isEmpty();
        assertThat(config.drainTimeout()).isEqualTo(Duration.ofSeconds(25));
        assertThat(config.decodeConcurrency()).isEqualTo(2);
        assertThat(config.maxAge()).isEqualTo(Duration.ofSeconds(1));
    }

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
    void theSourceIsBounded() {
        SmallRyeConfig config = config(REQUIRED);
        QueueConfig source = config.getConfigMapping(QueueConfig.class);
        assertThat(source.pollers()).isEqualTo(4);
        assertThat(source.maxBytes().asLongValue()).isEqualTo(64 << 20);
        assertThat(source.maxReceiveCount()).as("less than the queue allows").isEqualTo(90);
    }

    @Test
    void theStoreIsUnlimited() {
        SmallRyeConfig config = config(REQUIRED);
        StoreConfig store = config.getConfigMapping(StoreConfig.class);
        assertThat(store.maxConcurrency()).isEqualTo(64);
        assertThat(store.maxWriteUnits()).isEmpty();
        assertThat(config.getConfigMapping(ManagementConfig.class).enabled()).isFalse();
    }

    @Test
    void theJournalRemembersClaimsLongerThanSqsKeepsMessages() {
        JournalConfig journal = config(REQUIRED).getConfigMapping(JournalConfig.class);
        assertThat(journal.retention()).isEqualTo(Duration.ofDays(15));
        assertThat(journal.lease()).isEqualTo(Duration.ofSeconds(20));
        assertThat(journal.writeEvery()).isEmpty();
    }

    @Test
    void theDatasetsFileIsRequired() {
        assertThatThrownBy(() -> config(Map.of())).hasMessageContaining("windrow.datasets-file");
    }

    private static SmallRyeConfig config(Map<String, String> settings) {
        return new SmallRyeConfigBuilder().addDiscoveredConverters()
                .withMapping(WriterConfig.class).withMapping(QueueConfig.class)
                .withMapping(StoreConfig.class).withMapping(JournalConfig.class)
                .withMapping(ManagementConfig.class)
                .withSources(new PropertiesConfigSource(settings, "test", 100)).build();
    }
}
