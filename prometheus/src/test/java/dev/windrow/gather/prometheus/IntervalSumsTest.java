package dev.windrow.gather.prometheus;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import org.junit.jupiter.api.Test;

import dev.windrow.base.InvalidInputException;
import dev.windrow.dataset.DatasetsYaml;
import dev.windrow.dataset.Granularity;
import dev.windrow.dataset.MeasureValue;
import dev.windrow.gather.plan.Bucket;
import dev.windrow.gather.plan.Horizons;
import dev.windrow.gather.plan.MeasureValues;
import dev.windrow.gather.plan.QueryContext;
import dev.windrow.gather.plan.QueryContext.QueryLimits;
import dev.windrow.gather.plan.TableFreshness;
import dev.windrow.gather.prometheus.Expression.RangeFunction;
import dev.windrow.gather.prometheus.Expression.Selection;
import dev.windrow.gather.prometheus.Expression.Selector;
import dev.windrow.gather.prometheus.MetricReader.EvaluationTimes;
import dev.windrow.gather.prometheus.MetricReader.MetricQuery;
import dev.windrow.gather.prometheus.Metrics.MetricCatalog;
import dev.windrow.gather.prometheus.Metrics.MetricSelection;
import dev.windrow.gather.prometheus.PromQl.ExpressionParser;
import dev.windrow.gather.prometheus.Windows.IntervalSums;
import dev.windrow.table.Label;

/** The memory of a query is bounded by series times steps, whether they have values or not. */
class IntervalSumsTest {

    private static final Instant START = Instant.parse("2026-11-20T10:00:00Z");

    private final Metrics metric = new MetricCatalog(DatasetsYaml.parse("test", """
            windrow:
              datasets:
                clicks: {event-type: click, label: [host], granularities: [minute], index: [minute],
                  measures: {events: {type: count}}}
            """)).all().iterator().next();
    private final MetricSelection selection = MetricSelection.of(metric,
            ExpressionParser.parseSelector("windrow_clicks_events"),
            Optional.empty());

    private IntervalSums sums(int steps, int maxSamples) {
        return sums(Windows.of(new EvaluationTimes(START.plusSeconds(60), Duration.ofMinutes(1), steps),
                window(Duration.ofMinutes(1)), List.of(Granularity.MINUTE), Horizons.NONE).get(0), maxSamples);
    }

    private IntervalSums sums(Windows windows, int maxSamples) {
        QueryLimits limits = new QueryLimits(1, 1, 1, 1, 1, Duration.ZERO, Duration.ZERO, Duration.ZERO);
        return new IntervalSums(selection, metric.dataset().measures(), windows, 0, new MetricQuery("default", Map.of(),
                new QueryContext(limits, START, TableFreshness.UNKNOWN), maxSamples, bytes -> {
                }));
    }

    private static Selection window(Duration length) {
        return new Selection(new Selector(List.of()), RangeFunction.INCREASE, length, Duration.ZERO, Optional.empty());
    }

    private Bucket bucket(String host, int minute) {
        return new Bucket(START.plus(Duration.ofMinutes(minute)).toString(), Label.of(host), Granularity.MINUTE,
                new MeasureValues(metric.dataset().measures(), List.of(MeasureValue.of(BigDecimal.TEN))));
    }

    @Test
    void theWeekOfTheEarliestEventCountsInWindowsThatBeginAfterItsStart() {
        Instant nextWeek = Instant.parse("1970-01-05T00:00:00Z");
        Windows windows = Windows.of(new EvaluationTimes(nextWeek.plusSeconds(60), Duration.ofMinutes(1), 2),
                window(Duration.ofDays(5)), List.of(Granularity.MINUTE), Horizons.NONE).get(0);
        IntervalSums sums = sums(windows, 10);

        sums.add(new Bucket("1969-12-29T00:00:00Z", Label.of("a"), Granularity.WEEK,
                new MeasureValues(metric.dataset().measures(), List.of(MeasureValue.of(BigDecimal.TEN)))));

        assertThat(IntervalSums.over(List.of(sums)).get(List.of("a")))
                .extracting(value -> value == null ? 0 : value.value().intValue())
                .containsExactly(10, 10);
    }

    @Test
    void aSeriesTakesTheRoomOfAllItsSteps() {
        IntervalSums sums = sums(3, 5);
        sums.add(bucket("a", 0));
        sums.add(bucket("a", 1));

        assertThatThrownBy(() -> sums.add(bucket("b", 0))).isInstanceOf(InvalidInputException.class)
                .hasMessageContaining("at most 5 samples");
    }
}
