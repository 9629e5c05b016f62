package dev.windrow.gather.series;

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
import java.util.stream.IntStream;

import org.junit.jupiter.api.Test;

import dev.windrow.base.Reason;
import dev.windrow.dataset.Dataset;
import dev.windrow.dataset.DatasetsYaml;
import dev.windrow.dataset.MeasureValue;
import dev.windrow.gather.plan.DatasetScope;
import dev.windrow.gather.plan.MeasureValues;
import dev.windrow.gather.plan.Parameters;
import dev.windrow.gather.plan.QueryContext;
import dev.windrow.gather.plan.QueryContext.QueryLimits;
import dev.windrow.gather.plan.QueryKind;
import dev.windrow.gather.plan.TableFreshness;
import dev.windrow.gather.read.Execution;
import dev.windrow.gather.read.FakeShards;
import dev.windrow.gather.read.GatherException;
import dev.windrow.gather.read.Gatherer;
import dev.windrow.gather.read.Gatherer.FanoutLimits;
import dev.windrow.gather.read.HeldMemory;
import dev.windrow.gather.read.ShardMerge.ShardItem;
import dev.windrow.gather.read.ShardReader;
import dev.windrow.gather.read.ShardReader.ShardPage;
import dev.windrow.gather.series.SeriesResource.Series;
import dev.windrow.gather.testing.ManualClock;
import dev.windrow.gather.testing.SimulatedTime;
import dev.windrow.testing.Patience;
import io.smallrye.mutiny.Uni;
import io.smallrye.mutiny.infrastructure.Infrastructure;

/** A query reads several times, one after the other: four times for a series that is grouped and filled. */
class SeriesExecutorTest {

    private static final Instant NOW = Instant.parse("2026-11-20T10:00:00Z");
    private static final Duration TIMEOUT = Duration.ofSeconds(30);
    private static final int SITES = 5;

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

    @Test
    void aSilentShardLeavesTimeForTheReadsOfEachGroup() {
        // When
        Execution<List<Series>> found = withASilentShard(Duration.ofSeconds(2),
                Map.of("group", List.of("top"), "groupBy", List.of("site")));

        // Then
        assertThat(found.isComplete()).isFalse();
        assertThat(found.result()).hasSize(SITES);
    }

    @Test
    void aSilentShardLeavesTimeForTheReadsOfManyFilledGroups() {
        // When
        Execution<List<Series>> found = withASilentShard(Duration.ofSeconds(10),
                Map.of("group", List.of("top"), "groupBy", List.of("site"), "fill", List.of("previous")));

        // Then
        assertThat(found.isComplete()).isFalse();
        assertThat(found.result()).hasSize(SITES).allSatisfy(series -> assertThat(series.points()).hasSize(2));
    }

    @Test
    void aSilentShardLeavesTimeForTheReadsThatFillASingleSeries() {
        // When
        Execution<List<Series>> found = withASilentShard(Duration.ofSeconds(2),
                Map.of("fill", List.of("linear")));

        // Then
        assertThat(found.isComplete()).isFalse();
        assertThat(found.result()).hasSize(1).allSatisfy(series -> assertThat(series.points()).hasSize(2));
    }

    private void eachReadTakes(Duration span) {
        shards.tell(0, () -> {
            clock.pass(span);
            return Uni.createFrom().item(shards.firstPage(0, 1));
        });
    }

    private Uni<Execution<List<Series>>> filledFromBefore() {
        return new SeriesResource(null, gatherer, clock, HeldMemory.ofHeap(Long.MAX_VALUE), null)
                .execute(query(shards.request(1, true).scope(), TIMEOUT,
                        Map.of("group", List.of("top"), "fill", List.of("previous"))));
    }

    private static SeriesQuery query(DatasetScope scope, Duration timeout, Map<String, List<String>> parameters) {
        QueryLimits limits = new QueryLimits(100, 1_000, 10_000, 10_000, 10_000, TIMEOUT, timeout, TIMEOUT);
        Map<String, List<String>> all = new HashMap<>(parameters);
        all.put("from", List.of("1970-01-01T00:01:00Z"));
        all.put("to", List.of("1970-01-01T00:03:00Z"));
        return SeriesQuery.of(scope, Parameters.of(QueryKind.SERIES, all),
                new QueryContext(limits, NOW, TableFreshness.UNKNOWN));
    }

    private static Execution<List<Series>> withASilentShard(Duration timeout, Map<String, List<String>> parameters) {
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
        Gatherer gatherer = new Gatherer(oneSilent, new FanoutLimits(8, 4, 4, 4, TIMEOUT, 1_000), clock, time,
                (read, report) -> {
                });
        return time.outcome(new SeriesResource(null, gatherer, clock, HeldMemory.ofHeap(Long.MAX_VALUE), null)
                .execute(query(new DatasetScope("default", dataset), timeout, parameters)));
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
