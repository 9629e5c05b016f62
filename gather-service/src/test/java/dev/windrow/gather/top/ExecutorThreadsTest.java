package dev.windrow.gather.top;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;

import org.junit.jupiter.api.Test;

import dev.windrow.dataset.Datasets;
import dev.windrow.dataset.DatasetsYaml;
import dev.windrow.gather.plan.DatasetScope;
import dev.windrow.gather.plan.Parameters;
import dev.windrow.gather.plan.QueryContext;
import dev.windrow.gather.plan.QueryContext.QueryLimits;
import dev.windrow.gather.plan.QueryKind;
import dev.windrow.gather.plan.TableFreshness;
import dev.windrow.gather.read.Execution;
import dev.windrow.gather.read.Gatherer;
import dev.windrow.gather.read.Gatherer.FanoutLimits;
import dev.windrow.gather.read.HeldMemory;
import dev.windrow.gather.read.ItemReader;
import dev.windrow.gather.read.RegisteredDatasets;
import dev.windrow.gather.read.ShardReader.ShardPage;
import dev.windrow.gather.series.SeriesQuery;
import dev.windrow.gather.series.SeriesResource;
import dev.windrow.gather.series.SeriesResource.Series;
import dev.windrow.testing.Patience;
import io.smallrye.mutiny.Uni;
import io.smallrye.mutiny.infrastructure.Infrastructure;

/** Shards answer on event loops, of which the test's own thread is one, and what takes long is not computed there. */
class ExecutorThreadsTest {

    private static final Duration TIMEOUT = Duration.ofSeconds(30);

    private final Datasets datasets = DatasetsYaml.parse("test", """
            windrow:
              datasets:
                clicks: {event-type: click, label: [host], granularities: [minute], index: [minute], scatter: [{width: 1}],
                  measures: {events: {type: count}}}
            """);
    private final DatasetScope scope = new DatasetScope("default", datasets.named("clicks").orElseThrow());
    private final QueryContext context = new QueryContext(
            new QueryLimits(100, 1_000, 10_000, 10_000, 10_000, TIMEOUT, TIMEOUT, TIMEOUT),
            Instant.parse("2026-11-20T10:00:00Z"), TableFreshness.UNKNOWN);
    private final CompletableFuture<ShardPage> page = new CompletableFuture<>();
    private final List<Thread> readers = new CopyOnWriteArrayList<>();
    private final Gatherer gatherer = new Gatherer(read -> {
        readers.add(Thread.currentThread());
        return Uni.createFrom().completionStage(page);
    }, new FanoutLimits(8, 4, 4, 4, TIMEOUT, 1_000), Clock.systemUTC(), Infrastructure.getDefaultWorkerPool(),
            (dataset, report) -> {
            });
    private final ItemReader noItems = (keys, attributes, consistent) -> Uni.createFrom().nothing();
    private final HeldMemory memory = HeldMemory.ofHeap(Long.MAX_VALUE);
    private final Leaderboard leaderboard = new Leaderboard(
            new RegisteredDatasets(noItems, datasets, System::nanoTime, Duration.ZERO, Patience.LIMIT), gatherer, noItems,
            Clock.systemUTC());

    @Test
    void groupsArePickedOnAWorker() {
        assertThatIsFoundOnAWorker(top(Map.of("last", List.of("1h"))));
    }

    @Test
    void groupsArePickedByTheirChangeOnAWorker() {
        assertThatIsFoundOnAWorker(top(Map.of("last", List.of("1h"), "against", List.of("previous"))));
    }

    @Test
    void aPositionIsFoundOnAWorker() {
        PositionQuery query = PositionQuery.of(scope,
                Parameters.of(QueryKind.POSITION, Map.of("last", List.of("1h"), "label", List.of("a"))), context);

        assertThatIsFoundOnAWorker(new PositionResource(null, gatherer, leaderboard, memory).find(query));
    }

    @Test
    void groupsThatHaveSeriesArePickedOnAWorker() {
        // Given
        SeriesQuery query = SeriesQuery.of(scope,
                Parameters.of(QueryKind.SERIES, Map.of("last", List.of("1h"), "group", List.of("top"))), context);
        CompletableFuture<Execution<List<Series>>> series = new SeriesResource(null, gatherer, Clock.systemUTC(), memory, null)
                .execute(query)
                .subscribeAsCompletionStage();

        // When
        answer();

        // Then
        assertThat(series).succeedsWithin(Patience.LIMIT);
        // The second one begins where the groups were picked.
        assertThat(readers).hasSize(2).last().isNotEqualTo(Thread.currentThread());
    }

    private Uni<?> top(Map<String, List<String>> parameters) {
        TopQuery query = TopQuery.of(scope, Parameters.of(QueryKind.TOP, parameters), context);
        return new TopResource(null, gatherer, leaderboard, memory, null).execute(query);
    }

    private void assertThatIsFoundOnAWorker(Uni<?> result) {
        // Given
        CompletableFuture<Thread> thread = result.map(any -> Thread.currentThread()).subscribeAsCompletionStage();

        // When
        answer();

        // Then
        assertThat(thread).succeedsWithin(Patience.LIMIT).isNotEqualTo(Thread.currentThread());
    }

    private void answer() {
        page.complete(new ShardPage(List.of(), Optional.empty(), 0, 0.5));
    }
}
