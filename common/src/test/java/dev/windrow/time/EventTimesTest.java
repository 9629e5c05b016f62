package dev.windrow.time;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.random.RandomGenerator;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import dev.windrow.base.InvalidInputException;
import dev.windrow.base.Reason;
import dev.windrow.dataset.EventTimeBounds;
import dev.windrow.testing.Seeds;

class EventTimesTest {

    private static final Instant SENT = Instant.parse("2026-11-20T10:00:00Z");

    private final EventTimeBounds bounds = new EventTimeBounds(Duration.ofDays(30), Duration.ofMinutes(90));

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
            "2026-11-20 10:31:32Z,               2026-11-20T10:31:32Z",
            "2026-11-20 11:31:32.5+01:00,        2026-11-20T10:31:32.5Z",
            "2026-11-20T11:31:32+0100,           2026-11-20T10:31:32Z",
            "2026-11-20T05:31:32.25-05,          2026-11-20T10:31:32.25Z",
            "2026-11-21T10:30:32+2359,           2026-11-20T10:31:32Z",
            "1795170692,                         2026-11-20T10:31:32Z",
            "1795170692123,                      2026-11-20T10:31:32.123Z",
            "1.795170692e9,                      2026-11-20T10:31:32Z",
            "1970-01-01T00:00:00Z,               1970-01-01T00:00:00Z",
            "9999-12-31T23:59:59.999999999Z,     9999-12-31T23:59:59.999999999Z" })
    void rfc3339IsRead(String text, Instant expected) {
        assertThat(EventTimes.parse("time", text)).isEqualTo(expected);
    }

    @ParameterizedTest
    @ValueSource(strings = { "2026-11-20T10:31:32", "2026-11-20", "yesterday", "", "2026-13-01T00:00:00Z",
            "2026-02-30T00:00:00Z", "1969-12-31T23:59:59Z", "+10000-01-01T00:00:00Z", "1970-01-01T00:00:00+01:00",
            "2026-11-20  10:31:32Z", "2026-11-20 10:31:32", "2026-11-20T10:31:60Z", "2026-11-20T23:59:60",
            "2026-11-20T23:59:61Z",
            "2026-11-20T10:31:32+24:00", "2026-11-20T10:31:32-23:60", "2026-11-20T10:31:32+1", "2026-11-20T10:31:32+010",
            "2026-11-20T10:31:32 +01:00",
            "NaN", "Infinity", "0x10", "01", "1.", " 1795170692", "1e9999999999",
            "2026-11-20T10:31:32.1234567890x", "1970-01-01T00:00:00+23:59",
            "9999-12-31T23:59:59-23:59", "+23:59", "2026-11-20+23:59",
            "2026-11-20T10:31:32+01:00\n", "2026-11-20T10:31:32+01:00Z", "2026-11-20T10:31:32Z+01:00" })
    void otherTextIsAnErrorThatNamesTheField(String text) {
        assertThatThrownBy(() -> EventTimes.parse("time", text))
                .isInstanceOfSatisfying(InvalidInputException.class, e -> assertThat(e.reason()).isEqualTo(Reason.INVALID_TIME))
                .hasMessageStartingWith("time: expected ");
    }

    @ParameterizedTest
    @CsvSource({
            "1795170692.1234567899,   2026-11-20T10:31:32.123456789Z",
            "0,                       1970-01-01T00:00:00Z",
            "1E+9,                    2001-09-09T01:46:40Z",
            "1795170692123,           2026-11-20T10:31:32.123Z",
            "1795170692123.4567,      2026-11-20T10:31:32.1234567Z",
            "1795170692123456,        2026-11-20T10:31:32.123456Z",
            "1795170692123456789,     2026-11-20T10:31:32.123456789Z",
            "1795170692123456789.9,   2026-11-20T10:31:32.123456789Z",
            "4102444799.999999999,    2099-12-31T23:59:59.999999999Z",
            "253402300800,            1978-01-11T21:31:40.800Z",
            "253402300800000,         1978-01-11T21:31:40.800Z",
            "253402300800000000,      1978-01-11T21:31:40.800Z",
            "4102444799999,           2099-12-31T23:59:59.999Z",
            "20251301,                1970-08-23T09:21:41Z",
            "1E-100000000,            1970-01-01T00:00:00Z",
            "1E-999999999,            1970-01-01T00:00:00Z",
            "20250301.5,              1970-08-23T09:05:01.500Z",
            "2025030112,              2034-03-03T20:21:52Z" })
    void theUnitOfANumberIsToldBySize(BigDecimal number, Instant expected) {
        assertThat(EventTimes.ofEpoch("time", number)).isEqualTo(expected);
        assertThat(EventTimes.parse("time", number.toString())).isEqualTo(expected);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '"', value = {
            "-0.000000001            | seconds since 1970 and before the year 2100, found '-1E-9'",
            "-1795170692             | seconds since 1970 and before the year 2100, found '-1795170692'",
            "4102444800              | found '4102444800', which looks like milliseconds",
            "157766400000            | found '157766400000', which looks like milliseconds",
            "157766400000000         | found '157766400000000', which looks like microseconds",
            "157766400000000000      | found '157766400000000000', which looks like nanoseconds",
            "4102444800000000000     | nanoseconds since 1970 and before the year 2100, found '4102444800000000000'",
            "1e999999999             | nanoseconds since 1970 and before the year 2100, found '1E+999999999'",
            "-1e999999999            | seconds since 1970 and before the year 2100, found '-1E+999999999'",
            "20250301                | found '20250301', which looks like a date: write it as 2025-03-01T00:00:00Z",
            "20250301103132          | found '20250301103132', which looks like a date: write it as 2025-03-01T00:00:00Z" })
    void aNumberThatIsProbablyMeantOtherwiseIsAnError(BigDecimal number, String message) {
        assertThatThrownBy(() -> EventTimes.ofEpoch("time", number)).isInstanceOf(InvalidInputException.class)
                .hasMessageStartingWith("time: expected ").hasMessageContaining(message);
    }

    @Test
    void anInstantIsTheSameInAllItsForms() {
        RandomGenerator random = Seeds.random("instants");
        for (int i = 0; i < 10_000; i++) {
            // From 1978 on, when milliseconds are told from seconds
            Instant instant = Instant.ofEpochSecond(random.nextLong(253_402_301L, 4_102_444_800L),
                    random.nextInt(1_000_000_000));
            Instant millis = instant.truncatedTo(ChronoUnit.MILLIS);
            BigDecimal seconds = BigDecimal.valueOf(instant.getEpochSecond())
                    .add(BigDecimal.valueOf(instant.getNano(), 9));
            String local = instant.atOffset(ZoneOffset.ofHours(-7)).format(DateTimeFormatter.ISO_LOCAL_DATE_TIME);
            for (Object form : List.of(instant, instant.toString().replace('T', ' '), seconds, local + "-07:00",
                    local + "-0700",
                    local + "-07", seconds.movePointRight(9).toPlainString(), seconds.movePointRight(6),
                    seconds.movePointRight(3))) {
                assertThat(EventTimes.parse("time", form.toString())).as("%s", form).isEqualTo(instant);
            }
            assertThat(EventTimes.parse("time", String.valueOf(millis.toEpochMilli()))).isEqualTo(millis);
        }
    }

    @Test
    void secondsOfTheTableMayNameAnyYear() {
        assertThat(EventTimes.ofEpochSeconds("time", new BigDecimal("253402300799"))).isEqualTo("9999-12-31T23:59:59Z");
        assertThat(EventTimes.ofEpochSeconds("time", new BigDecimal("20250301"))).isEqualTo("1970-08-23T09:05:01Z");
        for (String seconds : List.of("-1", "253402300800", "1e999999999")) {
            assertThatThrownBy(() -> EventTimes.ofEpochSeconds("time", new BigDecimal(seconds)))
                    .isInstanceOf(InvalidInputException.class).hasMessageStartingWith("time: expected a time from 1970");
        }
    }

    @Test
    void aProblemHasTheBoundAsTheDatasetsFileWritesIt() {
        assertThat(bounds.problem(SENT.minus(Duration.ofDays(31)), SENT)).hasValue(
                "a time at most 30d before the message was sent at 2026-11-20T10:00:00Z, found 2026-10-20T10:00:00Z");
        assertThat(bounds.problem(SENT.plus(Duration.ofHours(2)), SENT)).hasValue(
                "a time at most 90m after the message was sent at 2026-11-20T10:00:00Z, found 2026-11-20T12:00:00Z");
    }

    @ParameterizedTest
    @CsvSource({ "2026-11-20, 2026-11-19T23:00:00Z", "2026-06-20, 2026-06-19T22:00:00Z",
            "2026-11-20T10:31:32, 2026-11-20T09:31:32Z", "2026-11-20T10:31:32Z, 2026-11-20T10:31:32Z" })
    void aDateAloneIsTheFirstMomentOfItsDayInADeclaredZone(String text, Instant time) {
        assertThat(EventTimes.parse("t", text, ZoneId.of("Europe/Berlin"))).isEqualTo(time);
    }

    /** In Beirut the clock went from 00:00 to 01:00 on 2021-03-28. */
    @Test
    void aDateWithoutMidnightBeginsAfterTheGap() {
        assertThat(EventTimes.parse("t", "2021-03-28", ZoneId.of("Asia/Beirut"))).isEqualTo("2021-03-27T22:00:00Z");
    }

    @Test
    void theExpectationSaysWhetherAZoneIsRequired() {
        assertThatThrownBy(() -> EventTimes.parse("t", "2026-11-20"))
                .hasMessage("t: expected an RFC 3339 time with a zone, such as 2026-11-20T10:31:32Z, found '2026-11-20'");
        assertThatThrownBy(() -> EventTimes.parse("t", "soon", ZoneId.of("Europe/Berlin"))).hasMessage(
                "t: expected an RFC 3339 time with or without a zone, such as 2026-11-20T10:31:32, or a date, found 'soon'");
    }
}
