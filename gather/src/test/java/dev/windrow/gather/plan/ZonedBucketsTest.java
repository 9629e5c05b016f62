package dev.windrow.gather.plan;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import dev.windrow.dataset.Granularity;

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

    /** At one minute past midnight clocks went back by an hour, to the day before. */
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
}
