package dev.windrow.gather.execution;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;

import org.junit.jupiter.api.Test;

import dev.windrow.gather.answer.Series;
import dev.windrow.gather.fanout.FakeShards;
import dev.windrow.gather.fanout.FanoutLimits;
import dev.windrow.gather.fanout.GatherException;
import dev.windrow.gather.fanout.Gatherer;
import dev.windrow.gather.query.Parameters;
import dev.windrow.gather.query.QueryContext;
import dev.windrow.gather.query.QueryKind;
import dev.windrow.gather.query.QueryLimits;
import dev.windrow.gather.query.SeriesQuery;
import dev.windrow.gather.query.TableFreshness;
import dev.windrow.gather.testing.ManualClock;
import dev.windrow.reason.Reason;
import dev.windrow.testing.Patience;
import io.smallrye.mutiny.Uni;
import io.smallrye.mutiny.infrastructure.Infrastructure;

/** A series that is grouped and filled takes four reads here, one after the other. */
class SeriesExecutorTest {

    private static final Instant NOW = Instant.parse("2026-11-20T10:00:00Z");
    private static final Duration TIMEOUT = Duration.ofSeconds(30);

    private final ManualClock clock = new ManualClock(NOW);
    private final FakeShards shards = new FakeShards(1, 1);
    private final Gatherer gatherer = new Gatherer(shards, new FanoutLimits(8, 4, 4, 4, TIMEOUT, 1_000), clock,
            Infrastructure.getDefaultWorkerPool(), (dataset, report) -> {
            });

    @Test
    void allReadsTogetherHaveTheTimeOfTheQuery() {
        // Given
        eachReadTakes(Duration.ofSeconds(11));

        // When
        Uni<Execution<List<Series>>> late = filledFromBefore();

        // Then
        assertThatThrownBy(() -> late.await().atMost(Patience.LIMIT)).isInstanceOfSatisfying(GatherException.class,
                failure -> assertThat(failure.reason()).isEqualTo(Reason.TIMED_OUT));
        assertThat(shards.reads).hasValue(3);
    }

    @Test
    void readsThatAreInTimeTogetherAreAnAnswer() {
        // Given
        eachReadTakes(Duration.ofSeconds(7));

        // When
        List<Series> found = filledFromBefore().await().atMost(Patience.LIMIT).result();

        // Then
        assertThat(found).hasSize(1).allSatisfy(series -> assertThat(series.points()).hasSize(2));
        assertThat(shards.reads).hasValue(4);
    }

    private void eachReadTakes(Duration span) {
        shards.tell(0, () -> {
            clock.pass(span);
            return Uni.createFrom().item(shards.firstPage(0, 1));
        });
    }

    private Uni<Execution<List<Series>>> filledFromBefore() {
        QueryLimits limits = new QueryLimits(100, 1_000, 10_000, 10_000, 10_000, TIMEOUT, TIMEOUT, TIMEOUT);
        SeriesQuery query = SeriesQuery.of(shards.request(1, true).scope(), Parameters.of(QueryKind.SERIES, Map.of(
                "from", List.of("1970-01-01T00:01:00Z"), "to", List.of("1970-01-01T00:03:00Z"),
                "group", List.of("top"), "fill", List.of("previous"))),
                new QueryContext(limits, NOW, TableFreshness.UNKNOWN));
        return new SeriesExecutor(gatherer, clock).execute(query);
    }
}
