package dev.windrow.base;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;

import org.junit.jupiter.api.Test;

class SettingRangeTest {

    @Test
    void durationsAreWrittenAsInTheConfiguration() {
        assertThatThrownBy(() -> SettingRange.atMost("key", Duration.ofDays(20), Duration.ofDays(15), "a limit"))
                .hasMessage("key: expected at most 15d (a limit), found 20d");
        assertThatThrownBy(() -> SettingRange.atLeast("key", Duration.ofMillis(1_500), Duration.ofMinutes(2)))
                .hasMessage("key: expected 2m or more, found 1500ms");
    }
}
