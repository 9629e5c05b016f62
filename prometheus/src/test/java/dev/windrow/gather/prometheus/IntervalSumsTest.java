package dev.windrow.gather.prometheus;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import org.junit.jupiter.api.Test;

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

class IntervalSumsTest {

    private final Metrics metric = new MetricCatalog(DatasetsYaml.parse("test", """
            windrow:
              datasets:
                clicks: {event-type: click, label: [host], granularities: [minute], index: [minute],
                  measures: {events: {type: count}}}
            """)).all().iterator().next();
    private final MetricSelection selection = MetricSelection.of(metric,
            ExpressionParser.parseSelector("windrow_clicks_events"),
            Optional.empty());

    @Test
    void theWeekOfTheEarliestEventCountsInWindowsThatBeginAfterItsStart() {
        Instant nextWeek = Instant.parse("1970-01-05T00:00:00Z");
        Windows windows = Windows.of(new EvaluationTimes(nextWeek.plusSeconds(60), Duration.ofMinutes(1), 2),
                new Selection(new Selector(List.of()), RangeFunction.INCREASE, Duration.ofDays(5), Duration.ZERO,
                        Optional.empty()),
                List.of(Granularity.MINUTE), Horizons.NONE).get(0);
        QueryLimits limits = new QueryLimits(1, 1, 1, 1, 1, Duration.ZERO, Duration.ZERO, Duration.ZERO);
        IntervalSums sums = new IntervalSums(selection, metric.dataset().measures(), windows, 0, new MetricQuery("default",
                Map.of(), new QueryContext(limits, nextWeek, TableFreshness.UNKNOWN), 10, bytes -> {
                }));

        sums.add(new Bucket("1969-12-29T00:00:00Z", Label.of("a"), Granularity.WEEK,
                new MeasureValues(metric.dataset().measures(), List.of(MeasureValue.of(BigDecimal.TEN)))));

        assertThat(IntervalSums.over(List.of(sums)).get(List.of("a")))
                .extracting(value -> value == null ? 0 : value.value().intValue())
                .containsExactly(10, 10);
    }
}
