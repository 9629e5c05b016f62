package dev.windrow.gather.plan;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

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

    @ParameterizedTest
    @CsvSource({
            "Europe/Berlin, day, hour, true",
            "Europe/Berlin, day, day, false",
            "Europe/Berlin, month, day, false",
            "Asia/Kolkata, day, hour, false",
            "Asia/Kolkata, day, 30-minutes, true",
            "Asia/Kathmandu, week, 30-minutes, false",
            "Asia/Kathmandu, week, 15-minutes, true",
            "Australia/Lord_Howe, day, 30-minutes, true",
            "Australia/Lord_Howe, day, hour, false",
            "Europe/Berlin, hour, minute, true",
    })
    void storedBucketsServeWhereTheyCrossNoLocalBorder(String zone, String granularity, String stored, boolean expected) {
        TimeRange year = new TimeRange(Instant.parse("2026-01-01T00:00:00Z"), Instant.parse("2027-01-01T00:00:00Z"));

        assertThat(new ZonedBuckets(Granularity.parse(granularity).orElseThrow(), ZoneId.of(zone))
                .canBeBuiltFrom(Granularity.parse(stored).orElseThrow(), year)).isEqualTo(expected);
    }

    @Test
    void inUtcTheyAreTheStoredOnes() {
        ZonedBuckets months = new ZonedBuckets(Granularity.MONTH, ZoneOffset.UTC);

        assertThat(months.canBeBuiltFrom(Granularity.MONTH, TimeRange.ALL)).isTrue();
        assertThat(months.canBeBuiltFrom(Granularity.WEEK, TimeRange.ALL)).isFalse();
        assertThat(months.aligned(TimeRange.ALL)).isEqualTo(TimeRange.ALL);
    }
}
