package dev.windrow.gather.read;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.Map;
import java.util.TreeSet;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import dev.windrow.base.InvalidInputException;
import dev.windrow.base.Reason;
import dev.windrow.gather.read.ReadConfig.FanoutRanges;
import dev.windrow.gather.read.ReadConfig.TableConfig;
import dev.windrow.testing.ConfigurationReference;
import io.quarkus.runtime.configuration.DurationConverter;
import io.smallrye.config.PropertiesConfigSource;
import io.smallrye.config.SmallRyeConfig;
import io.smallrye.config.SmallRyeConfigBuilder;

/** A value outside of its documented range is refused at start, with its key and the range. */
class FanoutRangesTest {

    private static final String PREFIX = "windrow.gather.fanout.";

    private static final String[] OUTSIDE = {
            "max-reads=0", "max-reads-per-query=0", "max-reads-per-query=513",
            "max-queries=0", "max-queued-queries=-1", "max-streams=0",
            "slow-client-timeout=0s", "max-items-per-query=0", "retry-after=0s",
            "retry-after=1500ms", "closed-after=-1s", "resilience.attempt-timeout=0s",
            "resilience.max-retries=-1", "lanes.refresh=-1s", "lanes.timeout=0s", "lanes.abandoned-after=999ms",
            "resilience.initial-backoff=-1ms", "resilience.initial-backoff=501ms",
            "resilience.circuit-breaker-reads=0", "resilience.circuit-breaker-failure-ratio=1.1",
            "resilience.circuit-breaker-failure-ratio=-0.1",
            "resilience.circuit-breaker-delay=0s", "hedging.budget=1.5", "hedging.quantile=-1",
            "hedging.min-delay=-1ms", "cache.max-page-items=-1", "cache.redis-timeout=0s",
            "cache.redis-ttl=0s" };

    @Test
    void theDefaultsAreInRange() {
        assertThatCode(() -> ranges(Map.of()).check()).doesNotThrowAnyException();
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
    void theMessageNamesTheSettingThatLimitsAnother() {
        assertThatThrownBy(() -> ranges(Map.of("windrow.gather.fanout.max-reads", "64")).check())
                .hasMessage("windrow.gather.fanout.max-reads-per-query: expected at most 64 (windrow.gather.fanout.max-reads),"
                        + " found 128");
    }

    /** Except the upper backoff, whose lower limit is checked as the upper limit of the initial one. */
    @Test
    void everyDocumentedRangeIsTested() throws IOException {
        TreeSet<String> tested = new TreeSet<>();
        Arrays.stream(outside()).forEach(setting -> tested.add(PREFIX + setting.substring(0, setting.indexOf('='))));
        tested.add(PREFIX + "resilience.max-backoff");

        assertThat(tested).isEqualTo(new TreeSet<>(ConfigurationReference.rangedKeys(Path.of(".."), PREFIX)));
    }

    static String[] outside() {
        return OUTSIDE;
    }

    private static FanoutRanges ranges(Map<String, String> settings) {
        SmallRyeConfig config = new SmallRyeConfigBuilder().addDefaultInterceptors()
                .withSources(new PropertiesConfigSource(settings, "test", 100))
                .withConverter(Duration.class, 200, new DurationConverter()).withMapping(TableConfig.class)
                .withMapping(ReadConfig.class).build();
        return new FanoutRanges(config.getConfigMapping(TableConfig.class), config.getConfigMapping(ReadConfig.class));
    }
}
