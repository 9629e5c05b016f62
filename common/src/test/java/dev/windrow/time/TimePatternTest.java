package dev.windrow.time;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class TimePatternTest {

    private static final ZoneId BERLIN = ZoneId.of("Europe/Berlin");

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
            "yyyy-mm-dd HH:MM:ss | m are minutes, and no hours stand before them: write M for months",
            "dd/mm/yyyy | m are minutes, and no hours stand before them",
            "yyyy-MM-dd HH:MM | M are months, and stand after hours: write m for minutes",
            "yyyy-MM-dd'T'hh.MM a | M are months, and stand after hours",
            "YYYY-MM-dd HH:mm | Y is the year of a week, which differs around New Year: write y",
            "yyyy-MM-DD HH:mm | D is the day of the year: write d",
            "dd/MM/yyyy hh:mm | h are the hours of half a day, and a, for AM or PM, is missing: write H",
            "yyyy-MM-dd HH:mm:SS | S are fractions of a second, and no seconds stand before them: write s",
            "yyyy-MM-dd HH:ss | its time has a gap", "HH:mm | it lacks the date", "yyyy-MM HH:mm | it lacks the date",
            "yyyy-MM-dd' | Pattern ends with an incomplete string literal" })
    void aPatternThatProbablyMeansAnotherOneIsRefusedWithAdvice(String pattern, String problem) {
        assertThatThrownBy(() -> TimePattern.of(pattern)).isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith(problem);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = { "HH:mm:ss dd/MM/yyyy | 10:31:32 20/11/2026 | 2026-11-20T09:31:32Z",
            "HH:mm MM/dd/yyyy | 10:31 11/20/2026 | 2026-11-20T09:31:00Z",
            "yyyy-MM-dd HH 'Minuten' mm | 2026-11-20 10 Minuten 31 | 2026-11-20T09:31:00Z",
            "dd/MMM/yyyy:HH:mm:ss xx | 20/NOV/2026:10:31:32 +0200 | 2026-11-20T08:31:32Z",
            "dd MMMM yyyy HH:mm | 20 november 2026 10:31 | 2026-11-20T09:31:00Z",
            "MM/dd/yyyy hh:mm a | 11/20/2026 10:31 pm | 2026-11-20T21:31:00Z",
            "MM/dd/yyyy hh:mm a | 11/20/2026 10:31 Pm | 2026-11-20T21:31:00Z",
            "yyyy-DDD HH:mm | 2026-324 10:31 | 2026-11-20T09:31:00Z", "dd/MM/yyyy | 20/11/2026 | 2026-11-19T23:00:00Z",
            "dd/MM/yyyy[ HH:mm] | 20/11/2026 | 2026-11-19T23:00:00Z",
            "dd/MM/yyyy[ HH:mm] | 20/11/2026 10:31 | 2026-11-20T09:31:00Z",
            "yyyy-MM-ddXXX | 2026-11-20+02:00 | 2026-11-19T22:00:00Z", "yyyyMMdd | 20261120 | 2026-11-19T23:00:00Z",
            "yyyyMMddHHmmssSSS | 20261120103132045 | 2026-11-20T09:31:32.045Z",
            "yyyyMMddHHmmss | 20261120103132 | 2026-11-20T09:31:32Z" })
    void readsWhatItsLettersSay(String pattern, String text, Instant time) {
        assertThat(TimePattern.of(pattern).read("t", text, BERLIN)).isEqualTo(time);
    }

    @ParameterizedTest
    @ValueSource(strings = { ".5", ".05", ".123", ".123456", ".123456789" })
    void aFractionHasOneToNineDigits(String fraction) {
        for (String pattern : new String[] { "yyyy-MM-dd HH:mm:ss.SSS", "yyyy-MM-dd HH:mm:ss[.SSSSSS][X]" }) {
            assertThat(TimePattern.of(pattern).read("t", "2026-11-20 10:31:32" + fraction, ZoneOffset.UTC))
                    .isEqualTo("2026-11-20T10:31:32" + fraction + "Z");
        }
        assertThat(TimePattern.of("yyyy-MM-dd HH:mm:ss,SXX").read("t",
                "2026-11-20 10:31:32" + fraction.replace('.', ',') + "+0100",
                ZoneOffset.UTC)).isEqualTo("2026-11-20T09:31:32" + fraction + "Z");
    }

    @Test
    void otherTextIsRefusedWithThePattern() {
        TimePattern pattern = TimePattern.of("dd/MM/yyyy HH:mm:ss.SSS");

        for (String text : new String[] { "20/11/2026", "20/11/2026 10:31:32", "20/11/2026 10:31:32.", "30/02/2026 10:31:32.1",
                "20/11/2026 10:31:32.0123456789", "20/11/1926 10:31:32.1" }) {
            assertThatThrownBy(() -> pattern.read("t", text, BERLIN)).hasMessageStartingWith("t: expected a time");
        }
    }
}
