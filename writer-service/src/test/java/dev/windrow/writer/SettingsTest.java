package dev.windrow.writer;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.HashMap;
import java.util.Map;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import dev.windrow.writer.queue.QueueConfig;
import dev.windrow.writer.table.JournalConfig;
import dev.windrow.writer.table.StoreConfig;
import io.quarkus.runtime.configuration.ConfigurationException;
import io.smallrye.config.PropertiesConfigSource;
import io.smallrye.config.SmallRyeConfigBuilder;

/** The writer does not start with a setting outside of its range, and says which one. */
class SettingsTest {

    @Test
    void theDefaultsAreInRange() {
        assertThatCode(() -> check(Map.of())).doesNotThrowAnyException();
    }

    /** One of each group of settings. */
    @ParameterizedTest
    @CsvSource(delimiter = ';', value = {
            "windrow.table; my table; 3 to 255 letters, digits, '_', '-' or '.'",
            "windrow.writer.drain-timeout; 0s; more than 0s",
            "windrow.writer.source.max-bytes; 1M; 2M or more, found 1M",
            "windrow.writer.decode.concurrency; 0; 1 or more",
            "windrow.writer.aggregate.max-age; 0s; more than 0s",
            "windrow.writer.store.max-write-units; -1.0; more than 0",
            "windrow.writer.journal.write-every.day; 61m; more than 0s, at most 1h",
            "windrow.writer.journal.write-every.fortnight; 1s; one of second, minute, " })
    void aValueOutsideOfItsRangeStopsTheStart(String key, String value, String range) {
        assertThatThrownBy(() -> check(Map.of(key, value))).isInstanceOf(ConfigurationException.class)
                .hasMessageStartingWith(key + ": expected " + range);
    }

    private static void check(Map<String, String> settings) {
        Map<String, String> all = new HashMap<>(settings);
        all.put("windrow.datasets-file", "datasets.yaml");
        WriterService.checkSettings(new SmallRyeConfigBuilder().addDiscoveredConverters()
                .withMapping(WriterConfig.class).withMapping(QueueConfig.class)
                .withMapping(StoreConfig.class).withMapping(JournalConfig.class)
                .withSources(new PropertiesConfigSource(all, "test", 100)).build());
    }
}
