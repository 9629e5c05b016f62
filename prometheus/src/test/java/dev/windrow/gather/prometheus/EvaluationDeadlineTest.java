package dev.windrow.gather.prometheus;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import org.junit.jupiter.api.Test;

import dev.windrow.base.Reason;
import dev.windrow.dataset.Datasets;
import dev.windrow.dataset.DatasetsYaml;
import dev.windrow.gather.plan.QueryContext;
import dev.windrow.gather.plan.QueryContext.QueryLimits;
import dev.windrow.gather.plan.TableFreshness;
import dev.windrow.gather.prometheus.Evaluator.Series;
import dev.windrow.gather.prometheus.Expression.Selection;
import dev.windrow.gather.prometheus.MetricReader.EvaluationTimes;
import dev.windrow.gather.prometheus.MetricReader.MetricQuery;
import dev.windrow.gather.prometheus.Metrics.MetricCatalog;
import dev.windrow.gather.prometheus.PromQl.ExpressionParser;
import dev.windrow.gather.read.Execution;
import dev.windrow.gather.read.GatherException;
import dev.windrow.gather.read.Gatherer;
import dev.windrow.gather.read.Gatherer.FanoutLimits;
import dev.windrow.gather.read.ShardReader.ShardPage;
import dev.windrow.gather.testing.ManualClock;
import dev.windrow.testing.Patience;
import io.smallrye.mutiny.Uni;
import io.smallrye.mutiny.infrastructure.Infrastructure;

/** What is computed from the series that were read ends by the query's deadline, too. */
class EvaluationDeadlineTest {

    private static final Instant NOW = Instant.parse("2026-11-20T10:00:00Z");
    private static final Duration LONGEST = Duration.ofSeconds(60);

    private final ManualClock clock = new ManualClock(NOW);
    private final Datasets datasets = DatasetsYaml.parse("test", """
            windrow:
              datasets:
                clicks: {event-type: click, label: [host], granularities: [minute], index: [minute], scatter: [{width: 1}],
                  measures: {events: {type: count}}}
            """);

    @Test
    void aQueryWhoseTimeIsOverComputesNoMore() {
        assertThatThrownBy(() -> answer(Duration.ofSeconds(32))).isInstanceOfSatisfying(GatherException.class,
                failure -> assertThat(failure.reason()).isEqualTo(Reason.TIMED_OUT));
    }

    @Test
    void anAnswerThatIsReadAtTheDeadlineIsStillComputed() {
        assertThat(answer(Duration.ofSeconds(30)).isComplete()).isTrue();
    }

    /** One is read after the other, equal ones once. */
    @Test
    void allSelectionsTogetherHaveTheTimeOfTheQuery() {
        String two = "increase(windrow_clicks_events[5m]) / increase(windrow_clicks_events[5m] offset 5m)";

        assertThat(answer(two, Duration.ofSeconds(15)).isComplete()).isTrue();
        assertThatThrownBy(() -> answer(two, Duration.ofSeconds(16))).isInstanceOfSatisfying(GatherException.class,
                failure -> assertThat(failure.reason()).isEqualTo(Reason.TIMED_OUT));
        assertThat(answer("increase(windrow_clicks_events[5m]) / increase(windrow_clicks_events[5m])", Duration.ofSeconds(30))
                .isComplete()).isTrue();
    }

    private Execution<List<Series>> answer(Duration reading) {
        return answer("increase(windrow_clicks_events[5m]) * 2", reading);
    }

    /** @param reading how long the only shard takes each time, of a timeout of 30 seconds */
    private Execution<List<Series>> answer(String query, Duration reading) {
        Gatherer gatherer = new Gatherer(read -> Uni.createFrom().item(() -> {
            clock.pass(reading);
            return new ShardPage(List.of(), Optional.empty(), 0, 0.5);
        }), new FanoutLimits(8, 4, 4, 4, LONGEST, 1_000), clock, Infrastructure.getDefaultWorkerPool(),
                (dataset, report) -> {
                });
        MetricQuery how = new MetricQuery("default", Map.of("timeout", List.of("30s")), new QueryContext(
                new QueryLimits(100, 1_000, 10_000, 10_000, 10_000, LONGEST, LONGEST, LONGEST), NOW, TableFreshness.UNKNOWN),
                1_000, bytes -> {
                });
        Expression expression = ExpressionParser.parse(query);
        Map<Selection, Metrics> metrics = new LinkedHashMap<>();
        expression.selections().forEach(
                selection -> metrics.put(selection, new MetricCatalog(datasets).selected(selection.selector()).get(0)));
        return new MetricReader(datasets, gatherer, clock).read(metrics, expression,
                EvaluationTimes.at(NOW), how).await()
                .atMost(Patience.LIMIT);
    }
}
