package dev.windrow.gather.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import dev.windrow.base.InvalidInputException;
import dev.windrow.base.Reason;
import dev.windrow.gather.http.ApiConfig.ApiRanges;
import dev.windrow.testing.ConfigurationReference;
import io.quarkus.runtime.configuration.DurationConverter;
import io.smallrye.config.PropertiesConfigSource;
import io.smallrye.config.SmallRyeConfig;
import io.smallrye.config.SmallRyeConfigBuilder;

/** A value outside of its documented range is refused at start, with its key and the range. */
class ApiRangesTest {

    private static final String PREFIX = "windrow.gather.api.";

    private static final String[] OUTSIDE = {
            "max-limit=0", "default-limit=0", "default-limit=10001",
            "max-points=0", "max-top=0", "max-labels=0",
            "closed-max-age=-1s", "closed-max-age=1500ms", "open-max-age=-1s",
            "open-max-age=10ms", "max-timeout=0s", "default-timeout=0s",
            "default-timeout=31s", "live.poll-interval=0s", "live.heartbeat-interval=0s",
            "live.max-clients=-1", "live.max-buckets=0", "live.max-window=0s",
            "live.max-resume-age=-1s", "prometheus.max-samples=0" };

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
    void allowedHostsAreNames() {
        String key = PREFIX + "allowed-hosts";

        assertThatCode(() -> ranges(Map.of(key, "counting.example.com,*.apps.example.com,windrow")).check())
                .doesNotThrowAnyException();
        for (String wrong : List.of("https://counting.example.com", "counting.example.com:443", "a.example,b c", "*",
                "a.*.b")) {
            assertThatThrownBy(() -> ranges(Map.of(key, wrong)).check()).as(wrong)
                    .isInstanceOf(InvalidInputException.class).hasMessageStartingWith(key + ": expected ");
        }
    }

    @Test
    void everyDocumentedRangeIsTested() throws IOException {
        TreeSet<String> tested = new TreeSet<>();
        Arrays.stream(outside()).forEach(setting -> tested.add(PREFIX + setting.substring(0, setting.indexOf('='))));

        assertThat(tested).isEqualTo(new TreeSet<>(ConfigurationReference.rangedKeys(Path.of(".."), PREFIX)));
    }

    static String[] outside() {
        return OUTSIDE;
    }

    private static ApiRanges ranges(Map<String, String> settings) {
        SmallRyeConfig config = new SmallRyeConfigBuilder().addDefaultInterceptors()
                .withSources(new PropertiesConfigSource(settings, "test", 100))
                .withConverter(Duration.class, 200, new DurationConverter()).withMapping(ApiConfig.class).build();
        return new ApiRanges(config.getConfigMapping(ApiConfig.class));
    }
}
