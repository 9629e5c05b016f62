package dev.windrow.base;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DurationsTest {

    @ParameterizedTest
    @CsvSource({ "PT0S, 0s", "PT0.05S, 50ms", "PT1.5S, 1500ms", "PT30S, 30s", "PT60S, 1m", "PT90S, 90s", "PT61M, 61m",
            "PT1H, 1h", "PT36H, 36h", "PT720H, 30d", "P15D, 15d", "PT-1S, -1s", "PT0.0005S, PT0.0005S" })
    void theLargestUnitThatDividesIsUsed(Duration duration, String text) {
        assertThat(Durations.text(duration)).isEqualTo(text);
    }

    @ParameterizedTest
    @CsvSource({ "9223372036854775807, 9223372036854775807s", "106751991167299d, 106751991167299d" })
    void noDurationIsTooLong(String given, String text) {
        Duration duration = given.endsWith("d") ? Duration.ofDays(Long.parseLong(given.substring(0, given.length() - 1)))
                : Duration.ofSeconds(Long.parseLong(given));

        assertThat(Durations.text(duration)).isEqualTo(text);
    }
}
