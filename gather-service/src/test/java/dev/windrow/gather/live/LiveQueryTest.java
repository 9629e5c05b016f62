package dev.windrow.gather.live;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import dev.windrow.dataset.Dataset;
import dev.windrow.dataset.DatasetsYaml;
import dev.windrow.gather.plan.DatasetScope;
import dev.windrow.gather.plan.Parameters;
import dev.windrow.gather.plan.QueryContext;
import dev.windrow.gather.plan.QueryContext.QueryLimits;
import dev.windrow.gather.plan.QueryKind;
import dev.windrow.gather.plan.TableFreshness;

class LiveQueryTest {

    private static final Dataset DATASET = DatasetsYaml.parse("test", """
            windrow:
              datasets:
                hits: {event-type: hit, label: [site], granularities: [minute, hour, day, week, month, year, forever],
                  index: [minute, hour, day, week, month, year, forever], measures: {events: {type: count}}}
            """).all().get(0);
    private static final Instant NOW = Instant.parse("2026-11-20T10:00:00Z");
    private static final Duration DAY = Duration.ofDays(1);
    private static final Duration MAX_RESUME_AGE = Duration.ofDays(2);

    @ParameterizedTest
    @CsvSource({
            "minute, 2026-11-16T00:01:30Z, 2026-11-16T00:00:00Z",
            "day, 2026-11-16T00:01:00Z, 2026-11-15T00:00:00Z",
            "week, 2026-11-16T00:01:00Z, 2026-11-09T00:00:00Z",
            "week, 2026-11-16T23:59:00Z, 2026-11-09T00:00:00Z",
            "week, 2026-11-17T00:00:00Z, 2026-11-16T00:00:00Z",
            "month, 2026-11-01T00:01:00Z, 2026-10-01T00:00:00Z",
            "year, 2026-01-01T00:01:00Z, 2025-01-01T00:00:00Z",
            "forever, 2026-01-01T00:01:00Z, 1970-01-01T00:00:00Z",
    })
    void withoutAWindowTheBucketBeforeIsWatchedAfterItsEnd(String granularity, Instant now, Instant from) {
        assertThat(query(granularity).watched(now).from()).isEqualTo(from);
    }

    @ParameterizedTest
    @CsvSource({
            "minute, 2026-11-18T10:00:00Z, 2026-11-18T10:00:00Z",
            "minute, 2026-11-18T09:59:30Z, 2026-11-18T09:59:00Z",
            "minute, 2026-11-18T09:58:59Z,",
            "minute, 2026-11-20T10:00:01Z,",
            "week, 2026-11-16T00:00:00Z, 2026-11-16T00:00:00Z",
            "week, 2026-11-09T00:00:00Z,",
            "year, 2026-01-01T00:00:00Z, 2026-01-01T00:00:00Z",
            "forever, 1970-01-01T00:00:00Z, 1970-01-01T00:00:00Z",
            "forever, -1000000-01-01T00:00:00Z,",
    })
    void aStreamResumesUntilTheFirstBucketHasEndedLongAgo(String granularity, Instant from, @Nullable Instant resumed) {
        assertThat(query(granularity).resumable(from, NOW, MAX_RESUME_AGE)).isEqualTo(Optional.ofNullable(resumed));
    }

    @Test
    void aCoarseStreamResumesFromABucketThatEndedAMomentAgo() {
        Instant monday = Instant.parse("2026-11-16T00:01:00Z");

        assertThat(query("week").resumable(Instant.parse("2026-11-09T00:00:00Z"), monday, MAX_RESUME_AGE))
                .contains(Instant.parse("2026-11-09T00:00:00Z"));
    }

    private static LiveQuery query(String granularity) {
        QueryLimits limits = new QueryLimits(100, 1_000, 10_000, 10_000, 10_000, DAY, DAY, DAY);
        return LiveQuery.of(new DatasetScope("default", DATASET),
                Parameters.of(QueryKind.LIVE, Map.of("granularity", List.of(granularity))),
                new QueryContext(limits, NOW, TableFreshness.UNKNOWN));
    }
}
