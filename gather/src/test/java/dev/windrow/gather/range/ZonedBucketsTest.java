package dev.windrow.gather.range;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.Arrays;
import java.util.List;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import dev.windrow.base.InvalidInputException;
import dev.windrow.gather.plan.Tiling;
import dev.windrow.gather.plan.TilingTest;
import dev.windrow.gather.plan.ZonedSources;
import dev.windrow.time.Granularity;

class ZonedBucketsTest {

    @ParameterizedTest
    @CsvSource({
            "Europe/Berlin, day, 2026-03-29T12:00:00Z, 2026-03-28T23:00:00Z, PT23H",
            "Europe/Berlin, day, 2026-10-25T00:30:00Z, 2026-10-24T22:00:00Z, PT25H",
            "Europe/Berlin, week, 2026-03-29T12:00:00Z, 2026-03-22T23:00:00Z, PT167H",
            "Europe/Berlin, month, 2026-03-31T22:30:00Z, 2026-03-31T22:00:00Z, PT720H",
            "Asia/Kathmandu, day, 2026-01-01T18:15:00Z, 2026-01-01T18:15:00Z, PT24H",
            "America/Santiago, day, 2026-09-06T12:00:00Z, 2026-09-06T04:00:00Z, PT23H",
            "America/New_York, year, 2026-06-01T00:00:00Z, 2026-01-01T05:00:00Z, PT8760H",
    })
    void bucketsBeginAtLocalMidnight(String zone, String granularity, String time, String start, String length) {
        ZonedBuckets buckets = new ZonedBuckets(Granularity.parse(granularity).orElseThrow(), ZoneId.of(zone));

        Instant floor = buckets.floor(Instant.parse(time));

        assertThat(floor).isEqualTo(start);
        assertThat(Duration.between(floor, buckets.end(floor))).isEqualTo(Duration.parse(length));
        assertThat(buckets.ceiling(floor)).isEqualTo(floor);
        assertThat(buckets.ceiling(floor.plusSeconds(1))).isEqualTo(buckets.end(floor));
    }

    /** At one minute past midnight, clocks went back by an hour to the previous day. */
    @ParameterizedTest
    @ValueSource(strings = { "America/Moncton:2005-10-30T03:01:00Z", "America/St_Johns:2010-11-07T02:31:00Z" })
    void aDayThatBeginsTwiceHasItsOwnEventsOnly(String zoneAndChange) {
        // Given
        ZoneId zone = ZoneId.of(zoneAndChange.substring(0, zoneAndChange.indexOf(':')));
        Instant change = Instant.parse(zoneAndChange.substring(zoneAndChange.indexOf(':') + 1));
        ZonedBuckets days = new ZonedBuckets(Granularity.DAY, zone);
        Instant first = days.floor(change.minusSeconds(1));
        TimeRange before = new TimeRange(days.floor(change), first);
        TimeRange day = new TimeRange(first, days.end(first));

        // Then
        assertThat(first).isEqualTo(change.minusSeconds(60)).isAfter(days.floor(change));
        for (int minute = -90; minute < 180; minute++) {
            Instant time = change.plusSeconds(60L * minute);
            boolean isNew = time.atZone(zone).toLocalDate().equals(first.atZone(zone).toLocalDate());
            assertThat(days.holds(day, time)).as("%s", time).isEqualTo(isNew);
            assertThat(days.holds(before, time)).as("%s", time).isEqualTo(!isNew);
            TimeRange read = days.read(isNew ? day : before);
            assertThat(time).isAfterOrEqualTo(read.from()).isBefore(read.to());
        }
        assertThat(days.canBeBuiltFrom(Granularity.MINUTE, day)).isTrue();
        assertThat(days.canBeBuiltFrom(Granularity.parse("30-minutes").orElseThrow(), day)).as("it crosses the change")
                .isFalse();
    }

    private static final Instant NOVEMBER = Instant.parse("2026-11-01T00:00:00Z");

    @Test
    void eachRangeHasTheCoarsestGranularityThatFits() {
        ZonedSources london = sources("Europe/London", "day", "hour day");

        assertThat(london.of(new TimeRange(NOVEMBER, Instant.parse("2026-11-03T00:00:00Z")))).isEqualTo(Granularity.DAY);
        assertThat(london.of(new TimeRange(Instant.parse("2026-10-20T23:00:00Z"), NOVEMBER))).isEqualTo(Granularity.HOUR);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
            "UTC                 | day   | hour day           | day 1969-12-29T00:00:00Z",
            "Europe/London       | day   | hour day           | hour 1969-12-29T00:00:00Z",
            "Australia/Lord_Howe | day   | 30-minutes hour    | 30-minutes 1969-12-29T00:00:00Z",
            "America/Caracas     | day   | minute hour        | hour 2016-05-02T04:00:00Z, minute 1969-12-29T00:00:00Z",
            "America/Caracas     | month | minute hour        | hour 2016-06-01T04:00:00Z, minute 1969-12-29T00:00:00Z",
            "America/Caracas     | day   | hour               | hour 2016-05-02T04:00:00Z",
            "Africa/Monrovia     | day   | minute hour        | hour 1972-01-08T00:00:00Z",
            "Africa/Monrovia     | day   | second day         | day 1972-01-08T00:00:00Z, second 1969-12-29T00:00:00Z",
            "America/Moncton     | day   | minute hour        | hour 2006-10-30T04:00:00Z, minute 1969-12-29T00:00:00Z",
            "Europe/London       | hour  | minute hour        | hour 1969-12-29T00:00:00Z",
    })
    void aSearchBackGoesOnWithAnotherGranularityWhereTheOffsetChangesForGood(String zone, String granularity, String stored,
            String expected) {
        ZonedSources sources = sources(zone, granularity, stored);
        Instant end = sources.buckets().ceiling(NOVEMBER);

        List<Tiling> parts = sources.search(new TimeRange(TimeRange.ALL.from(), end), true);

        assertThat(parts.stream().map(part -> part.granularity() + " " + part.range().from())).containsExactly(
                expected.split(", "));
        assertThat(parts.get(0).range().to()).isEqualTo(end);
        assertThat(sources.reach(new TimeRange(TimeRange.ALL.from(), end), true))
                .isEqualTo(parts.get(parts.size() - 1).range().from());
    }

    /** Berlin's days are built from hours, while these exist; London's winter days from days, which are kept longer. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
            "UTC           | week | hour day | hour:2 day:400 | day 2025-10-27T00:00:00Z",
            "Europe/Berlin | day  | hour day | hour:30 day:400 | hour 2026-10-25T23:00:00Z",
            "Europe/London | day  | hour day | hour:40 day:400 | hour 2026-10-15T23:00:00Z",
            "Europe/London | day  | hour day | hour:30 day:400 | day 2026-10-26T00:00:00Z",
            "Europe/London | day  | hour day | hour:20 | day 2026-10-26T00:00:00Z",
    })
    void aSearchEndsAtTheHorizon(String zone, String granularity, String stored, String kept, String expected) {
        ZonedSources sources = new ZonedSources(sources(zone, granularity, stored).buckets(), sources(zone, granularity,
                stored).stored(), TilingTest.kept(Instant.parse("2026-11-24T10:00:00Z"), kept));
        Instant end = sources.buckets().ceiling(Instant.parse("2026-11-20T00:00:00Z"));

        List<Tiling> parts = sources.search(new TimeRange(TimeRange.ALL.from(), end), true);

        assertThat(parts.stream().map(part -> part.granularity() + " " + part.range().from())).containsExactly(
                expected.split(", "));
    }

    @Test
    void aSearchForwardEndsWhereNothingFits() {
        ZonedSources caracas = sources("America/Caracas", "day", "hour");
        TimeRange after = new TimeRange(Instant.parse("2000-01-01T04:00:00Z"), TimeRange.END);

        List<Tiling> parts = caracas.search(after, false);

        assertThat(parts).containsExactly(
                new Tiling(Granularity.HOUR, new TimeRange(after.from(), Instant.parse("2007-12-09T04:00:00Z"))));
        assertThat(caracas.reach(after, false)).isEqualTo("2007-12-09T04:00:00Z");
        assertThat(sources("America/Caracas", "day", "minute hour").reach(after, false)).isEqualTo(TimeRange.END);
    }

    @Test
    void aSearchFromTheEndOfTimeIsShort() {
        ZonedSources london = sources("Europe/London", "day", "hour day");
        TimeRange all = new TimeRange(TimeRange.ALL.from(), Instant.parse("9999-12-01T00:00:00Z"));

        assertThat(london.search(all, true)).containsExactly(new Tiling(Granularity.HOUR, all));
        assertThat(sources("Pacific/Norfolk", "day", "hour").reach(all, true)).isEqualTo("2015-10-04T13:00:00Z");
    }

    @ParameterizedTest
    @CsvSource({
            "Europe/London, day, false",
            "Europe/London, hour, true",
            "Australia/Lord_Howe, hour, false",
            "Africa/Monrovia, minute, true",
            "Atlantic/Reykjavik, day, true",
    })
    void aSearchNeedsWhatFitsTheNearestYear(String zone, String stored, boolean possible) {
        ZonedSources sources = sources(zone, "day", stored);
        TimeRange before = new TimeRange(TimeRange.ALL.from(), sources.buckets().ceiling(NOVEMBER));

        if (possible) {
            sources.requireSearchable(before, true);
        } else {
            assertThatThrownBy(() -> sources.requireSearchable(before, true)).isInstanceOf(InvalidInputException.class)
                    .hasMessageStartingWith(
                            "granularity: cannot be built from the available ones (" + stored + ")");
        }
    }

    private static ZonedSources sources(String zone, String granularity, String stored) {
        return new ZonedSources(
                new ZonedBuckets(Granularity.parse(granularity).orElseThrow(),
                        zone.equals("UTC") ? ZoneOffset.UTC : ZoneId.of(zone)),
                Arrays.stream(stored.split(" ")).map(name -> Granularity.parse(name).orElseThrow()).toList(), Horizons.NONE);
    }
}
