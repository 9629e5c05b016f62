package dev.windrow.dataset;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.math.BigDecimal;
import java.time.Instant;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import dev.windrow.base.InvalidInputException;
import dev.windrow.base.Reason;

class EventTimesTest {

    @ParameterizedTest
    @CsvSource({
            "2026-11-20T10:31:32Z,               2026-11-20T10:31:32Z",
            "2026-11-20T10:31:32.123456789Z,     2026-11-20T10:31:32.123456789Z",
            "2026-11-20T11:31:32+01:00,          2026-11-20T10:31:32Z",
            "2026-11-19T23:01:32-11:30,          2026-11-20T10:31:32Z",
            "2026-11-21T10:30:32+23:59,          2026-11-20T10:31:32Z",
            "2026-11-19T10:32:32-23:59,          2026-11-20T10:31:32Z",
            "2026-11-21T04:32:32.5+18:01,        2026-11-20T10:31:32.5Z",
            "2026-11-20T10:31:32-00:00,          2026-11-20T10:31:32Z",
            "2026-11-20t10:31:32z,               2026-11-20T10:31:32Z",
            "2026-11-20T10:31:32.12345678999Z,   2026-11-20T10:31:32.123456789Z",
            "2026-11-20T11:31:32.1234567890000000000000000000000001+01:00, 2026-11-20T10:31:32.123456789Z",
            "9999-12-31T23:59:59.9999999999Z,    9999-12-31T23:59:59.999999999Z",
            "2016-12-31T23:59:60Z,               2016-12-31T23:59:59Z",
            "2017-01-01T23:58:60.12345678999+23:59, 2016-12-31T23:59:59.123456789Z",
            "2017-01-01T05:29:60.75+05:30,       2016-12-31T23:59:59.75Z",
            "1970-01-01T00:00:00Z,               1970-01-01T00:00:00Z",
            "9999-12-31T23:59:59.999999999Z,     9999-12-31T23:59:59.999999999Z" })
    void rfc3339IsRead(String text, Instant expected) {
        assertThat(EventTimes.parse("time", text)).isEqualTo(expected);
    }

    @ParameterizedTest
    @ValueSource(strings = { "2026-11-20T10:31:32", "2026-11-20", "yesterday", "", "2026-13-01T00:00:00Z",
            "2026-02-30T00:00:00Z", "1969-12-31T23:59:59Z", "+10000-01-01T00:00:00Z", "1970-01-01T00:00:00+01:00",
            "2026-11-20 10:31:32Z", "2026-11-20T10:31:60Z", "2026-11-20T23:59:60", "2026-11-20T23:59:61Z",
            "2026-11-20T10:31:32+24:00", "2026-11-20T10:31:32-23:60", "2026-11-20T10:31:32+2359", "2026-11-20T10:31:32+23",
            "2026-11-20T10:31:32.1234567890x", "1970-01-01T00:00:00+23:59",
            "9999-12-31T23:59:59-23:59", "+23:59", "2026-11-20+23:59",
            "2026-11-20T10:31:32+01:00\n", "2026-11-20T10:31:32+01:00Z", "2026-11-20T10:31:32Z+01:00" })
    void otherTextIsAnErrorThatNamesTheField(String text) {
        assertThatThrownBy(() -> EventTimes.parse("time", text))
                .isInstanceOfSatisfying(InvalidInputException.class, e -> assertThat(e.reason()).isEqualTo(Reason.INVALID_TIME))
                .hasMessageStartingWith("time: expected ");
    }

    @Test
    void epochSecondsAreReadToTheNanosecond() {
        assertThat(EventTimes.ofEpochSeconds("time", new BigDecimal("1795170692.1234567899")))
                .isEqualTo(Instant.parse("2026-11-20T10:31:32.123456789Z"));
        assertThat(EventTimes.ofEpochSeconds("time", BigDecimal.ZERO)).isEqualTo(Instant.EPOCH);
        assertThat(EventTimes.ofEpochSeconds("time", new BigDecimal("1E+9"))).isEqualTo(Instant.ofEpochSecond(1_000_000_000));
    }

    @ParameterizedTest
    @ValueSource(strings = { "-0.000000001", "253402300800", "1795170692000", "1e999999999", "-1e999999999" })
    void epochSecondsOutOfRangeAreAnError(String seconds) {
        BigDecimal number = new BigDecimal(seconds);
        assertThatThrownBy(() -> EventTimes.ofEpochSeconds("time", number)).isInstanceOf(InvalidInputException.class)
                .hasMessageStartingWith("time: expected a time from 1970");
    }
}
