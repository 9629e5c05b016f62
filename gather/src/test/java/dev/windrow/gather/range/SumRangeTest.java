package dev.windrow.gather.range;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneId;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import dev.windrow.base.InvalidInputException;
import dev.windrow.gather.parameter.Parameters;
import dev.windrow.gather.parameter.QueryKind;
import dev.windrow.gather.parameter.QueryParameter;
import dev.windrow.gather.plan.QueryContext;
import dev.windrow.gather.plan.QueryLimits;
import dev.windrow.gather.plan.TableFreshness;
import dev.windrow.time.Granularity;

class SumRangeTest {

    private static final ZoneId ST_JOHNS = ZoneId.of("America/St_Johns");
    private static final LocalDate TWICE = LocalDate.of(2010, 11, 7);
    private static final Instant FIRST = Instant.parse("2010-11-07T02:30:00Z");
    private static final Instant BACK = Instant.parse("2010-11-07T02:31:00Z");
    private static final Instant SECOND = Instant.parse("2010-11-07T03:30:00Z");

    /** In St. John's and Moncton, the previous day came back after a minute, in Casey after two hours. */
    @ParameterizedTest
    @CsvSource({
            "America/St_Johns, 2010-11-07, 2",
            "America/Moncton,  2005-10-30, 2",
            "Antarctica/Casey, 2010-03-05, 2",
            // These gain or lose an hour around midnight, but no date comes back.
            "America/Havana,   2025-11-02, 1",
            "Atlantic/Azores,  2021-10-31, 1",
            "America/Santiago, 2025-09-07, 1",
            "Asia/Beirut,      2021-10-31, 1",
            "Europe/Berlin,    2025-10-26, 1",
    })
    void rangesOfDatesHoldWhatIsOfTheseDates(ZoneId zone, LocalDate day, int partsOfDay) {
        assertThat(dates(zone, day, day.plusDays(1)).parts()).hasSize(partsOfDay);
        assertThat(dates(zone, day.minusDays(1), day).parts()).hasSize(partsOfDay);
        for (int from = -3; from <= 3; from++) {
            for (int to = from; to <= 3; to++) {
                LocalDate first = day.plusDays(from);
                LocalDate end = day.plusDays(to);
                SumRange sums = dates(zone, first, end);

                for (Instant time : times(start(zone, day))) {
                    LocalDate date = time.atZone(zone).toLocalDate();
                    int expected = !date.isBefore(first) && date.isBefore(end) ? 1 : 0;
                    assertThat(timesHeld(sums, time)).as("%s from %s to %s", time, first, end).isEqualTo(expected);
                }
            }
        }
    }

    @Test
    void aPointInTimeIsJustThat() {
        TimeRange after = new TimeRange(FIRST, SECOND.plusSeconds(60));
        TimeRange before = new TimeRange(FIRST.minusSeconds(60), FIRST);

        assertThat(SumRange.of(after, ST_JOHNS, false, false).parts()).containsExactly(after);
        assertThat(SumRange.of(before, ST_JOHNS, false, false).parts()).containsExactly(before);
        assertThat(SumRange.of(new TimeRange(SECOND, FIRST.plus(Duration.ofDays(1))), ST_JOHNS, true, true).parts())
                .as("it begins at the second midnight").hasSize(1);
        assertThat(SumRange.of(TimeRange.ALL, ST_JOHNS, true, true).parts()).containsExactly(TimeRange.ALL);
    }

    @Test
    void aRangeMayEndBeforeItsDateBeginsAgain() {
        for (Instant end : List.of(BACK, BACK.plusSeconds(60), SECOND)) {
            assertThat(SumRange.of(new TimeRange(FIRST, end), ST_JOHNS, true, false).parts()).as("%s", end)
                    .containsExactly(new TimeRange(FIRST, BACK));
        }
        assertThat(SumRange.of(new TimeRange(FIRST, FIRST.plusSeconds(30)), ST_JOHNS, true, false).parts())
                .containsExactly(new TimeRange(FIRST, FIRST.plusSeconds(30)));
    }

    @Test
    void itIsOverWhenItsLastPartIs() {
        assertThat(dates(ST_JOHNS, TWICE.minusDays(1), TWICE).whole().to()).isEqualTo(SECOND);
        assertThat(dates(ST_JOHNS, TWICE, TWICE.plusDays(1)).whole())
                .isEqualTo(dates(ST_JOHNS, TWICE, TWICE.plusDays(1)).range());
    }

    @Test
    void requestsSayWhichBoundsAreDates() {
        assertThat(requested(Granularity.MINUTE, "2010-11-07", "2010-11-08").parts()).hasSize(2);
        assertThat(requested(Granularity.MINUTE, "2010-11-06", "2010-11-07").parts()).hasSize(2);
        assertThat(requested(Granularity.MINUTE, "2010-11-07T00:00:00-02:30", "2010-11-08").parts()).hasSize(1);
        assertThat(requested(Granularity.MINUTE, "2010-11-06", "2010-11-07T02:30:00Z").parts()).hasSize(1);
    }

    @Test
    void partsThatNoBucketsBeginWithAreRefused() {
        Granularity halfHours = Granularity.parse("30-minutes").orElseThrow();

        assertThatThrownBy(() -> requested(halfHours, "2010-11-07", "2010-11-08")).isInstanceOf(InvalidInputException.class)
                .hasMessageContaining("store a finer granularity");
        assertThatThrownBy(() -> requested(halfHours, "2010-11-06", "2010-11-07")).isInstanceOf(InvalidInputException.class);
        assertThat(requested(halfHours, "2010-11-06", "2010-11-08").parts()).hasSize(1);
    }

    private static SumRange requested(Granularity finest, String from, String to) {
        TimeParameters times = new QueryContext(
                new QueryLimits(100, 1_000, 1_000, 100, 1_000, Duration.ofDays(1), Duration.ofSeconds(1),
                        Duration.ofSeconds(1)),
                SECOND, TableFreshness.UNKNOWN).times(
                        Parameters.of(QueryKind.TOTALS, Map.of("from", List.of(from), "to",
                                List.of(to), "tz", List.of("America/St_Johns"))));
        return SumRange.of(List.of(finest), times.range(), Horizons.NONE, times, QueryParameter.FROM, QueryParameter.TO);
    }

    private static SumRange dates(ZoneId zone, LocalDate from, LocalDate to) {
        return SumRange.of(new TimeRange(start(zone, from), start(zone, to)), zone, true, true);
    }

    private static Instant start(ZoneId zone, LocalDate day) {
        return day.atStartOfDay(zone).toInstant();
    }

    /** The hours of eight days around an instant, and the half minutes of ten hours. */
    private static List<Instant> times(Instant around) {
        return Stream.concat(IntStream.range(-96, 96).mapToObj(hour -> around.plus(Duration.ofHours(hour))),
                IntStream.range(-600, 600).mapToObj(half -> around.plusSeconds(30L * half))).toList();
    }

    private static long timesHeld(SumRange sums, Instant time) {
        return sums.parts().stream().filter(part -> !time.isBefore(part.from()) && time.isBefore(part.to())).count();
    }
}
