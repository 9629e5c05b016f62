package dev.windrow.writer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

import dev.windrow.base.InvalidInputException;
import dev.windrow.base.Reason;
import dev.windrow.testing.ConfigurationReference;
import dev.windrow.writer.queue.QueueConfig;
import dev.windrow.writer.queue.QueueConfig.AcknowledgeConfig;
import dev.windrow.writer.table.JournalConfig;
import dev.windrow.writer.table.JournalConfig.AggregateConfig;
import dev.windrow.writer.table.StoreConfig;
import io.smallrye.config.PropertiesConfigSource;
import io.smallrye.config.SmallRyeConfig;
import io.smallrye.config.SmallRyeConfigBuilder;

/** A value outside of its documented range is refused at start, with its key and the range. */
class SettingRangesTest {

    private static final String PREFIX = "windrow.writer.";

    private static final String[] OUTSIDE = {
            "drain-timeout=0s", "liveness-timeout=5s", "liveness-timeout=-1s",
            "source.pollers=0", "source.wait-time=-1s", "source.wait-time=21s", "source.wait-time=1500ms",
            "source.max-messages=9", "source.max-bytes=0", "source.max-receive-count=0", "source.error-backoff=0s",
            "decode.concurrency=0", "decode.max-message-bytes=0", "decode.max-message-bytes=65M", "decode.timeout=0s",
            "aggregate.max-bytes=0", "aggregate.max-bytes=64M", "aggregate.max-age=0s",
            "store.max-concurrency=0", "store.max-write-units=0", "store.max-write-units=-1", "store.timeout=0s",
            "store.initial-backoff=0s", "store.initial-backoff=3s", "store.circuit-breaker-requests=0",
            "store.circuit-breaker-delay=0s", "journal.lease=999ms", "journal.retention=0s", "journal.delete-after=0s",
            "journal.denied-for=0s", "journal.backlog-delay=-1s", "journal.backlog-delay=61s",
            "acknowledge.linger=-1ms", "acknowledge.max-concurrency=0", "acknowledge.max-attempts=0",
            "acknowledge.initial-backoff=0s", "acknowledge.timeout=0s" };

    @Test
    void theDefaultsAreInRange() {
        assertThatCode(() -> ranges(Map.of()).check()).doesNotThrowAnyException();
    }

    @Test
    void valuesAtTheLimitAreInRange() {
        assertThatCode(() -> ranges(Map.of("windrow.writer.source.wait-time", "20s", "windrow.writer.source.max-messages",
                "10", "windrow.writer.decode.max-message-bytes", "64M", "windrow.writer.store.initial-backoff", "2s",
                "windrow.writer.acknowledge.linger", "0s")).check()).doesNotThrowAnyException();
    }

    @ParameterizedTest
    @MethodSource("outside")
    void aValueOutsideIsRefusedWithItsKeyAndRange(String setting) {
        String key = PREFIX + setting.substring(0, setting.indexOf('='));

        assertThatThrownBy(() -> ranges(Map.of(key, setting.substring(setting.indexOf('=') + 1))).check())
                .hasMessageStartingWith(key + ": expected ").hasMessageContaining(", found ")
                .isInstanceOfSatisfying(InvalidInputException.class,
                        e -> assertThat(e.reason()).isEqualTo(Reason.INVALID_SETTING));
    }

    @Test
    void aTableHasANameThatDynamoDbAccepts() {
        assertThatThrownBy(() -> ranges(Map.of("windrow.table", "my table")).check())
                .hasMessage("windrow.table: expected 3 to 255 letters, digits, '_', '-' or '.', found my table");
    }

    @Test
    void theMessageHasValuesAsTheConfigurationWritesThem() {
        assertThatThrownBy(() -> ranges(Map.of("windrow.writer.liveness-timeout", "5s")).check())
                .hasMessage(
                        "windrow.writer.liveness-timeout: expected more than 15s (windrow.writer.source.wait-time and 10s), found 5s");
    }

    /** An outage of queue or table must not look like a flow that is stuck. */
    @ParameterizedTest
    @ValueSource(strings = { "source.wait-time=20s", "source.error-backoff=30s", "store.timeout=26s",
            "store.max-backoff=23s", "store.circuit-breaker-delay=23s" })
    void livenessWaitsForTheNextSignOfAnOutage(String setting) {
        String key = PREFIX + setting.substring(0, setting.indexOf('='));
        String value = setting.substring(setting.indexOf('=') + 1);

        assertThatThrownBy(() -> ranges(Map.of(key, value, "windrow.writer.liveness-timeout", "30s")).check())
                .isInstanceOf(InvalidInputException.class)
                .hasMessageStartingWith("windrow.writer.liveness-timeout: expected more than 30s (windrow.writer.")
                .hasMessageEndingWith("found 30s");
        assertThatCode(() -> ranges(Map.of(key, value, "windrow.writer.liveness-timeout", "31s")).check())
                .doesNotThrowAnyException();
    }

    @ParameterizedTest
    @ValueSource(strings = { "day=0s", "day=61m", "fortnight=1s", "60-minutes=1s" })
    void aWaitOutsideOfTheRangeOrOfNoGranularityIsRefused(String setting) {
        String key = PREFIX + "journal.write-every." + setting.substring(0, setting.indexOf('='));

        assertThatThrownBy(() -> ranges(Map.of(key, setting.substring(setting.indexOf('=') + 1))).check())
                .isInstanceOf(InvalidInputException.class).hasMessageStartingWith(key + ": expected ")
                .hasMessageContaining(", found ");
        assertThatCode(() -> ranges(Map.of(PREFIX + "journal.write-every.5-minutes", "1h")).check())
                .doesNotThrowAnyException();
    }

    /** Except the upper backoff, whose lower limit is checked as the upper limit of the initial one. */
    @Test
    void everyDocumentedRangeIsTested() throws IOException {
        TreeSet<String> tested = new TreeSet<>();
        Arrays.stream(outside()).forEach(setting -> tested.add(PREFIX + setting.substring(0, setting.indexOf('='))));
        tested.add("windrow.writer.store.max-backoff");

        assertThat(tested).isEqualTo(new TreeSet<>(ConfigurationReference.rangedKeys(Path.of(".."), PREFIX)));
    }

    static String[] outside() {
        return OUTSIDE;
    }

    private static SettingRanges ranges(Map<String, String> settings) {
        Map<String, String> all = new TreeMap<>(settings);
        all.put("windrow.datasets-file", "datasets.yaml");
        SmallRyeConfig config = new SmallRyeConfigBuilder().addDiscoveredConverters()
                .withMapping(WriterConfig.class).withMapping(QueueConfig.class).withMapping(AggregateConfig.class)
                .withMapping(DecodeConfig.class).withMapping(StoreConfig.class).withMapping(JournalConfig.class)
                .withMapping(AcknowledgeConfig.class)
                .withSources(new PropertiesConfigSource(all, "test", 100)).build();
        return new SettingRanges(config.getConfigMapping(WriterConfig.class), config.getConfigMapping(QueueConfig.class),
                config.getConfigMapping(DecodeConfig.class), config.getConfigMapping(AggregateConfig.class),
                config.getConfigMapping(StoreConfig.class), config.getConfigMapping(JournalConfig.class),
                config.getConfigMapping(AcknowledgeConfig.class));
    }
}
