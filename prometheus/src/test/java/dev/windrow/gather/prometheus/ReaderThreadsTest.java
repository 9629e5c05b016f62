package dev.windrow.gather.prometheus;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import dev.windrow.dataset.Datasets;
import dev.windrow.dataset.DatasetsYaml;
import dev.windrow.gather.plan.QueryContext;
import dev.windrow.gather.plan.QueryContext.QueryLimits;
import dev.windrow.gather.plan.TableFreshness;
import dev.windrow.gather.prometheus.Expression.Selection;
import dev.windrow.gather.prometheus.MetricReader.EvaluationTimes;
import dev.windrow.gather.prometheus.MetricReader.MetricQuery;
import dev.windrow.gather.prometheus.Metrics.MetricCatalog;
import dev.windrow.gather.prometheus.PromQl.ExpressionParser;
import dev.windrow.gather.read.Gatherer;
import dev.windrow.gather.read.Gatherer.FanoutLimits;
import dev.windrow.gather.read.ShardReader.ShardPage;
import dev.windrow.testing.Patience;
import io.smallrye.mutiny.Uni;
import io.smallrye.mutiny.infrastructure.Infrastructure;

/** Shards are read on event loops, and what is computed of them is not computed there. */
class ReaderThreadsTest {

    private static final String EVENT_LOOP = "event loop of this test";
    private static final Instant NOW = Instant.parse("2026-11-20T10:00:00Z");

    private final ExecutorService eventLoop = Executors.newSingleThreadExecutor(work -> new Thread(work, EVENT_LOOP));
    private final Datasets datasets = DatasetsYaml.parse("test", """
            windrow:
              datasets:
                clicks: {event-type: click, label: [host], granularities: [minute], index: [minute],
                  measures: {events: {type: count}, largest: {type: max, attribute: bytes}}}
            """);
    private final Gatherer gatherer = new Gatherer(
            read -> Uni.createFrom().item(new ShardPage(List.of(), Optional.empty(), 0, 0.5)).emitOn(eventLoop),
            new FanoutLimits(8, 4, 4, 4, Duration.ofSeconds(30), 1_000), Clock.systemUTC(),
            Infrastructure.getDefaultWorkerPool(), (dataset, report) -> {
            });
    private final MetricQuery how = new MetricQuery("default", Map.of(), new QueryContext(
            new QueryLimits(100, 1_000, 10_000, 10_000, 10_000, Duration.ofSeconds(30), Duration.ofSeconds(30),
                    Duration.ofHours(1)),
            NOW, TableFreshness.UNKNOWN), 1_000, bytes -> {
            });

    @AfterEach
    void stop() {
        eventLoop.shutdownNow();
    }

    @Test
    void windowsAreComputedOnAWorker() {
        assertThat(threadOf("sum by (host) (increase(windrow_clicks_events[5m]))")).isNotEqualTo(EVENT_LOOP);
        assertThat(threadOf("sum by (host) (max_over_time(windrow_clicks_largest[5m]))")).isNotEqualTo(EVENT_LOOP);
    }

    private String threadOf(String query) {
        Selection selection = selection(query);
        return new MetricReader(datasets, gatherer, Clock.systemUTC())
                .read(Map.of(selection, metric(selection)), selection, EvaluationTimes.at(NOW), how)
                .map(any -> Thread.currentThread().getName()).await().atMost(Patience.LIMIT);
    }

    private Metrics metric(Selection selection) {
        return new MetricCatalog(datasets).selected(selection.selector()).get(0);
    }

    private static Selection selection(String query) {
        return ExpressionParser.parse(query).selections().findFirst().orElseThrow();
    }
}
