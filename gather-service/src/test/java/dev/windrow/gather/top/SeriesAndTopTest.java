package dev.windrow.gather.top;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.math.BigDecimal;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ScheduledExecutorService;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import dev.windrow.base.Reason;
import dev.windrow.dataset.Dataset;
import dev.windrow.dataset.Datasets;
import dev.windrow.dataset.DatasetsYaml;
import dev.windrow.dataset.MeasureValue;
import dev.windrow.gather.fanout.Execution;
import dev.windrow.gather.fanout.FanoutLimits;
import dev.windrow.gather.fanout.Gatherer;
import dev.windrow.gather.fanout.HeldMemory;
import dev.windrow.gather.parameter.Parameters;
import dev.windrow.gather.parameter.QueryKind;
import dev.windrow.gather.plan.DatasetScope;
import dev.windrow.gather.plan.MeasureValues;
import dev.windrow.gather.plan.QueryContext;
import dev.windrow.gather.plan.QueryLimits;
import dev.windrow.gather.plan.TableFreshness;
import dev.windrow.gather.read.FakeShards;
import dev.windrow.gather.read.GatherException;
import dev.windrow.gather.read.ItemReader;
import dev.windrow.gather.read.RegisteredDatasets;
import dev.windrow.gather.read.ShardItem;
import dev.windrow.gather.read.ShardPage;
import dev.windrow.gather.read.ShardReader;
import dev.windrow.gather.series.SeriesQuery;
import dev.windrow.gather.series.SeriesResource;
import dev.windrow.gather.series.SeriesResource.Series;
import dev.windrow.gather.testing.ManualClock;
import dev.windrow.gather.testing.SimulatedTime;
import dev.windrow.testing.Patience;
import io.smallrye.mutiny.Uni;
import io.smallrye.mutiny.infrastructure.Infrastructure;

/**
 * Shards answer on event loops, whose part the test's own thread plays, so nothing slow may be computed there. A query may read
 * several times in sequence: four times for a grouped and filled series.
 */
class SeriesAndTopTest {

    private static final Instant NOW = Instant.parse("2026-11-20T10:00:00Z");
    private static final Duration TIMEOUT = Duration.ofSeconds(30);
    private static final int SITES = 5;

    private final Datasets datasets = DatasetsYaml.parse("test", """
            windrow:
              datasets:
                clicks: {event-type: click, label: [host], granularities: [minute], index: [minute], scatter: [{width: 1}],
                  measures: {events: {type: count}}}
            """);
    private final DatasetScope scope = new DatasetScope("default", datasets.named("clicks").orElseThrow());
    private final ManualClock clock = new ManualClock(NOW);
    private final FakeShards shards = new FakeShards(1, 1);
    private final CompletableFuture<ShardPage> page = new CompletableFuture<>();
    private final List<Thread> readers = new CopyOnWriteArrayList<>();
    private final Gatherer gatherer = gatherer(read -> {
        readers.add(Thread.currentThread());
        return Uni.createFrom().completionStage(page);
    }, Clock.systemUTC(), Infrastructure.getDefaultWorkerPool());
    private final ItemReader noItems = (keys, attributes, consistent) -> Uni.createFrom().nothing();
    private final HeldMemory memory = new HeldMemory(Long.MAX_VALUE);
    private final Leaderboard leaderboard = new Leaderboard(
            new RegisteredDatasets(noItems, datasets, System::nanoTime, Duration.ZERO, Patience.LIMIT,
                    Infrastructure.getDefaultWorkerPool()),
            gatherer, noItems,
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
                Parameters.of(QueryKind.POSITION, Map.of("last", List.of("1h"), "label", List.of("a"))), context(TIMEOUT));

        assertThatIsFoundOnAWorker(new PositionResource(null, gatherer, leaderboard, memory).find(query));
    }

    @Test
    void groupsThatHaveSeriesArePickedOnAWorker() {
        // Given
        SeriesQuery query = SeriesQuery.of(scope,
                Parameters.of(QueryKind.SERIES, Map.of("last", List.of("1h"), "group", List.of("top"))), context(TIMEOUT));
        CompletableFuture<Execution<List<Series>>> series = series(gatherer, Clock.systemUTC(), query)
                .subscribeAsCompletionStage();

        // When
        answer();

        // Then
        assertThat(series).succeedsWithin(Patience.LIMIT);
        // The second read begins on the thread that picked the groups.
        assertThat(readers).hasSize(2).last().isNotEqualTo(Thread.currentThread());
    }

    private static Gatherer gatherer(ShardReader shards, Clock clock, ScheduledExecutorService timer) {
        return new Gatherer(shards, new FanoutLimits(8, 4, 4, 4, TIMEOUT, 1_000), clock, timer, (dataset, report) -> {
        });
    }

    private static QueryContext context(Duration timeout) {
        return new QueryContext(new QueryLimits(100, 1_000, 10_000, 10_000, 10_000, TIMEOUT, timeout, TIMEOUT), NOW,
                TableFreshness.UNKNOWN);
    }

    private Uni<Execution<List<Series>>> series(Gatherer gatherer, Clock clock, SeriesQuery query) {
        return new SeriesResource(null, gatherer, clock, memory, null).execute(query);
    }

    private Uni<?> top(Map<String, List<String>> parameters) {
        TopQuery query = TopQuery.of(scope, Parameters.of(QueryKind.TOP, parameters), context(TIMEOUT));
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

    @ParameterizedTest
    @CsvSource({ "2, group=top&groupBy=site, 5, 0", "10, group=top&groupBy=site&fill=previous, 5, 2", "2, fill=linear, 1, 2" })
    void aSilentShardLeavesTimeForAllReads(int seconds, String parameters, int series, int points) {
        // When
        Execution<List<Series>> found = withASilentShard(Duration.ofSeconds(seconds), Stream.of(parameters.split("&", -1))
                .map(parameter -> parameter.split("=", -1))
                .collect(Collectors.toMap(pair -> pair[0], pair -> List.of(pair[1]))));

        // Then
        assertThat(found.isComplete()).isFalse();
        assertThat(found.result()).hasSize(series).allSatisfy(one -> assertThat(one.points()).hasSize(points));
    }

    private void eachReadTakes(Duration span) {
        shards.tell(0, () -> {
            clock.pass(span);
            return Uni.createFrom().item(shards.firstPage(0, 1));
        });
    }

    private Uni<Execution<List<Series>>> filledFromBefore() {
        return series(gatherer(shards, clock, Infrastructure.getDefaultWorkerPool()), clock, query(
                shards.request(1, true).scope(), TIMEOUT, Map.of("group", List.of("top"), "fill", List.of("previous"))));
    }

    private static SeriesQuery query(DatasetScope scope, Duration timeout, Map<String, List<String>> parameters) {
        Map<String, List<String>> all = new HashMap<>(parameters);
        all.put("from", List.of("1970-01-01T00:01:00Z"));
        all.put("to", List.of("1970-01-01T00:03:00Z"));
        return SeriesQuery.of(scope, Parameters.of(QueryKind.SERIES, all), context(timeout));
    }

    private Execution<List<Series>> withASilentShard(Duration timeout, Map<String, List<String>> parameters) {
        Dataset dataset = DatasetsYaml.parse("test", """
                windrow:
                  datasets:
                    hits: {event-type: hit, label: [site, host], granularities: [minute], index: [minute],
                      scatter: [{width: 2}], measures: {events: {type: count}}}
                """).all().get(0);
        ShardReader oneSilent = read -> read.query().shard() == 1
                ? Uni.createFrom().nothing()
                : Uni.createFrom().item(() -> aBucketOfEachSite(dataset, read.query().descending()));
        SimulatedTime time = new SimulatedTime();
        Clock clock = time.clockFrom(NOW);
        return time.outcome(series(gatherer(oneSilent, clock, time), clock,
                query(new DatasetScope("default", dataset), timeout, parameters)));
    }

    private static ShardPage aBucketOfEachSite(Dataset dataset, boolean descending) {
        List<ShardItem> items = IntStream.range(0, SITES).map(site -> descending ? SITES - 1 - site : site).mapToObj(site -> {
            String group = Instant.EPOCH + "#site" + site + "#host";
            return new ShardItem(group + "#0", group,
                    new MeasureValues(dataset.measures(), List.of(MeasureValue.of(BigDecimal.ONE))));
        }).toList();
        return new ShardPage(items, Optional.empty(), SITES, 0.5);
    }
}
