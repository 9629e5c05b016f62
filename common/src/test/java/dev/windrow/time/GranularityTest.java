package dev.windrow.time;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.DayOfWeek;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.time.temporal.TemporalAdjusters;
import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import dev.windrow.testing.Seeds;
import dev.windrow.time.Granularity.Unit;

class GranularityTest {

    @ParameterizedTest
    @CsvSource({
            "second,     2026-11-20T10:31:32.999Z, 2026-11-20T10:31:32Z, 2026-11-20T10:31:33Z",
            "minute,     2026-11-20T10:31:32Z,     2026-11-20T10:31:00Z, 2026-11-20T10:32:00Z",
            "5-minutes,  2026-11-20T10:34:59Z,     2026-11-20T10:30:00Z, 2026-11-20T10:35:00Z",
            "90-minutes, 2026-11-20T10:31:32Z,     2026-11-20T10:30:00Z, 2026-11-20T12:00:00Z",
            "720-minutes,2026-11-20T23:59:59Z,     2026-11-20T12:00:00Z, 2026-11-21T00:00:00Z",
            "hour,       2026-11-20T10:31:32Z,     2026-11-20T10:00:00Z, 2026-11-20T11:00:00Z",
            "day,        2026-11-20T23:59:59Z,     2026-11-20T00:00:00Z, 2026-11-21T00:00:00Z",
            "week,       2027-01-01T00:00:00Z,     2026-12-28T00:00:00Z, 2027-01-04T00:00:00Z",
            "week,       2026-11-22T23:59:59Z,     2026-11-16T00:00:00Z, 2026-11-23T00:00:00Z",
            "week,       1970-01-01T00:00:00Z,     1969-12-29T00:00:00Z, 1970-01-05T00:00:00Z",
            "month,      2028-02-29T12:00:00Z,     2028-02-01T00:00:00Z, 2028-03-01T00:00:00Z",
            "month,      2026-12-31T23:59:59Z,     2026-12-01T00:00:00Z, 2027-01-01T00:00:00Z",
            "year,       2026-11-20T10:31:32Z,     2026-01-01T00:00:00Z, 2027-01-01T00:00:00Z" })
    void bucketsBeginAndEndWhereTheCalendarSays(String name, Instant time, Instant start, Instant end) {
        Granularity granularity = Granularity.parse(name).orElseThrow();

        assertThat(granularity.floor(time)).isEqualTo(start);
        assertThat(granularity.end(start)).isEqualTo(end);
    }

    @Test
    void foreverIsOneBucketWithoutEnd() {
        assertThat(Granularity.FOREVER.floor(EventTimes.LATEST)).isEqualTo(Instant.EPOCH);
        assertThat(Granularity.FOREVER.end(Instant.EPOCH)).isEqualTo(Instant.MAX);
    }

    @Test
    void floorsAgreeWithTheJdksCalendarEverywhere() {
        RandomGenerator random = Seeds.random("floorsAgreeWithTheJdksCalendarEverywhere");
        for (int i = 0; i < 100_000; i++) {
            Instant time = Instant.ofEpochSecond(random.nextLong(EventTimes.LATEST.getEpochSecond() + 1));
            OffsetDateTime utc = time.atOffset(ZoneOffset.UTC);
            OffsetDateTime day = utc.truncatedTo(ChronoUnit.DAYS);
            assertThat(Granularity.DAY.floor(time)).isEqualTo(day.toInstant());
            assertThat(Granularity.HOUR.floor(time)).isEqualTo(utc.truncatedTo(ChronoUnit.HOURS).toInstant());
            assertThat(Granularity.WEEK.floor(time))
                    .isEqualTo(day.with(TemporalAdjusters.previousOrSame(DayOfWeek.MONDAY)).toInstant());
            assertThat(Granularity.MONTH.floor(time)).isEqualTo(day.withDayOfMonth(1).toInstant());
            assertThat(Granularity.YEAR.floor(time)).isEqualTo(day.withDayOfYear(1).toInstant());
        }
    }

    @Test
    void everyInstantLiesInExactlyItsBucket() {
        RandomGenerator random = Seeds.random("everyInstantLiesInExactlyItsBucket");
        for (Granularity granularity : all()) {
            for (int i = 0; i < 1_000; i++) {
                Instant time = Instant.ofEpochSecond(random.nextLong(EventTimes.LATEST.getEpochSecond() + 1));
                Instant start = granularity.floor(time);
                Instant end = granularity.end(start);

                assertThat(start).isBeforeOrEqualTo(time);
                assertThat(end).isAfter(time);
                assertThat(granularity.isStart(start)).isTrue();
                if (!granularity.equals(Granularity.FOREVER)) {
                    assertThat(granularity.floor(end)).as("buckets of %s touch", granularity).isEqualTo(end);
                    assertThat(granularity.floor(end.minusSeconds(1))).isEqualTo(start);
                }
            }
        }
    }

    @Test
    void nestingBucketsNeverCrossABoundary() {
        RandomGenerator random = Seeds.random("nestingBucketsNeverCrossABoundary");
        for (Granularity fine : all()) {
            for (Granularity coarse : all()) {
                boolean crossed = IntStream.range(0, 3_000).anyMatch(i -> {
                    Instant start = fine.floor(Instant.ofEpochSecond(random.nextLong(4_000_000_000L)));
                    return fine.end(start).isAfter(coarse.end(coarse.floor(start)));
                });
                assertThat(fine.nestsIn(coarse)).as("%s nests in %s", fine, coarse).isEqualTo(!crossed);
            }
        }
    }

    @Test
    void namesAreReadBackAndSortFinestFirst() {
        List<Granularity> all = all();
        assertThat(all).allSatisfy(granularity -> assertThat(Granularity.parse(granularity.name())).contains(granularity));
        assertThat(all.stream().sorted().map(Granularity::name)).containsExactly("second", "minute", "5-minutes",
                "15-minutes", "hour", "90-minutes", "720-minutes", "day", "week", "month", "year", "forever");
    }

    @ParameterizedTest
    @ValueSource(strings = { "", "Minute", "minutes", "1-minutes", "7-minutes", "60-minutes", "1440-minutes", "0-minutes",
            "05-minutes", "5-minute", "-5-minutes", "999999-minutes", "quarter" })
    void unknownNamesAreNotGuessed(String name) {
        assertThat(Granularity.parse(name)).isEmpty();
    }

    @Test
    void onlyMinutesCanBeMany() {
        assertThatThrownBy(() -> new Granularity(Unit.HOUR, 2)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new Granularity(Unit.MINUTE, 7)).isInstanceOf(IllegalArgumentException.class);
    }

    private static List<Granularity> all() {
        List<Granularity> all = new ArrayList<>();
        for (Unit unit : Unit.values()) {
            all.add(new Granularity(unit, 1));
        }
        for (int minutes : new int[] { 5, 15, 90, 720 }) {
            all.add(new Granularity(Unit.MINUTE, minutes));
        }
        return all;
    }
}
