package dev.windrow.gather.plan;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;

import org.junit.jupiter.api.Test;

import dev.windrow.dataset.Granularity;

class TimeRangeTest {

    @Test
    void allTimeHoldsEveryStart() {
        for (Granularity granularity : new Granularity[] { Granularity.SECOND, Granularity.WEEK, Granularity.MONTH,
                Granularity.YEAR, Granularity.FOREVER }) {
            TimeRange all = TimeRange.ALL.alignedTo(granularity);

            Instant first = granularity.floor(Instant.EPOCH);
            Instant last = granularity.floor(Instant.parse("9999-12-31T23:59:59Z"));
            assertThat(all.from()).as(granularity.name()).isBeforeOrEqualTo(first);
            assertThat(all.to()).as(granularity.name()).isAfter(last);
        }
    }

    @Test
    void theBucketOfAllTimeIsInNoLaterRange() {
        assertThat(new TimeRange(Instant.parse("2026-11-20T10:00:00Z"), TimeRange.END).alignedTo(Granularity.FOREVER)
                .isEmpty()).isTrue();
    }
}
