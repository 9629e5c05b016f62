package dev.windrow.gather.prometheus;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;

import dev.windrow.base.Reason;
import dev.windrow.dataset.Datasets;
import dev.windrow.dataset.DatasetsYaml;
import dev.windrow.gather.plan.QueryContext;
import dev.windrow.gather.plan.QueryContext.QueryLimits;
import dev.windrow.gather.plan.TableFreshness;
import dev.windrow.gather.prometheus.Expression.Selector;
import dev.windrow.gather.prometheus.MetricReader.MetricQuery;
import dev.windrow.gather.prometheus.Metrics.MetricCatalog;
import dev.windrow.gather.prometheus.PrometheusParameters.SeriesRange;
import dev.windrow.gather.prometheus.PrometheusQueries.SeriesSearch;
import dev.windrow.gather.read.GatherException;
import dev.windrow.gather.read.Gatherer;
import dev.windrow.gather.read.Gatherer.FanoutLimits;
import dev.windrow.gather.read.ShardReader.ShardPage;
import dev.windrow.gather.testing.ManualClock;
import dev.windrow.testing.Patience;
import io.smallrye.mutiny.Uni;
import io.smallrye.mutiny.infrastructure.Infrastructure;

class SeriesSearchTest {

    private static final Instant NOW = Instant.parse("2026-11-20T10:00:00Z");
    private static final Duration LONGEST = Duration.ofSeconds(60);
    private static final SeriesRange RANGE = new SeriesRange(NOW.minusSeconds(3_600), NOW, Integer.MAX_VALUE);

    private final ManualClock clock = new ManualClock(NOW);
    private final AtomicInteger reads = new AtomicInteger();
    private final Datasets datasets = DatasetsYaml.parse("test", """
            windrow:
              datasets:
                a: {event-type: a, label: [host], granularities: [minute], index: [minute], scatter: [{width: 1}],
                  measures: {events: {type: count}}}
                b: {event-type: b, label: [host], granularities: [minute], index: [minute], scatter: [{width: 1}],
                  measures: {events: {type: count}}}
                c: {event-type: c, label: [host], granularities: [minute], index: [minute], scatter: [{width: 1}],
                  measures: {events: {type: count}}}
                d: {event-type: d, label: [host], granularities: [minute], index: [minute], scatter: [{width: 1}],
                  measures: {events: {type: count}}}
            """);
    private final Gatherer gatherer = new Gatherer(read -> Uni.createFrom().item(this::lateAnswer),
            new FanoutLimits(8, 4, 4, 4, LONGEST, 1_000), clock, Infrastructure.getDefaultWorkerPool(), (dataset, report) -> {
            });

    @Test
    void theReadsOfAllDatasetsTogetherHaveTheTimeOfTheRequest() {
        // When
        Uni<SeriesSearch.Found<String>> late = new SeriesSearch(datasets, gatherer, clock).find(
                all(datasets), Optional.empty(), RANGE, how(Map.of("timeout", List.of("30s"))),
                (metric, labels) -> Stream.of(metric.name()));

        // Then
        assertThatThrownBy(() -> late.await().atMost(Patience.LIMIT)).isInstanceOfSatisfying(GatherException.class,
                failure -> assertThat(failure.reason()).isEqualTo(Reason.TIMED_OUT));
        assertThat(reads).hasValue(3);
    }

    @Test
    void aSilentShardLeavesTimeForTheReadsThatWaitForTheFirst() {
        // Given
        Datasets six = DatasetsYaml.parse("test", "windrow: {datasets: {" + Stream.of("a", "b", "c", "d", "e", "f")
                .map(name -> name + ": {event-type: " + name + ", label: [host], granularities: [minute], index: [minute], "
                        + "scatter: [{width: 2}], measures: {events: {type: count}}}")
                .collect(Collectors.joining(", ")) + "}}");
        Gatherer oneSilent = new Gatherer(read -> read.query().shard() == 1
                ? Uni.createFrom().nothing()
                : Uni.createFrom().item(this::answer),
                new FanoutLimits(8, 4, 4, 4, LONGEST, 1_000), Clock.systemUTC(), Infrastructure.getDefaultWorkerPool(),
                (dataset, report) -> {
                });

        // When
        SeriesSearch.Found<String> found = new SeriesSearch(six, oneSilent, Clock.systemUTC())
                .find(all(six), Optional.empty(), RANGE,
                        how(Map.of("timeout", List.of("1s"), "partial", List.of("true"))),
                        (metric, labels) -> Stream.of(metric.name()))
                .await().atMost(Patience.LIMIT);

        // Then
        assertThat(found.warnings()).hasSize(1).allMatch(warning -> warning.startsWith("timed-out"));
        assertThat(reads).hasValue(6);
    }

    private static Map<Metrics, List<Selector>> all(Datasets datasets) {
        Map<Metrics, List<Selector>> selected = new LinkedHashMap<>();
        new MetricCatalog(datasets).all().forEach(metric -> selected.put(metric, List.of(new Selector(List.of()))));
        return selected;
    }

    private static MetricQuery how(Map<String, List<String>> options) {
        return new MetricQuery("default", options, new QueryContext(
                new QueryLimits(100, 1_000, 10_000, 10_000, 10_000, LONGEST, LONGEST, LONGEST), NOW, TableFreshness.UNKNOWN),
                1_000, bytes -> {
                });
    }

    private ShardPage lateAnswer() {
        clock.pass(Duration.ofSeconds(11));
        return answer();
    }

    private ShardPage answer() {
        reads.incrementAndGet();
        return new ShardPage(List.of(), Optional.empty(), 0, 0.5);
    }
}
