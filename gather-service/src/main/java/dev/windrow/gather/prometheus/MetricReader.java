package dev.windrow.gather.prometheus;

import java.util.ArrayList;
import java.util.List;

import jakarta.enterprise.context.ApplicationScoped;

import dev.windrow.dataset.Datasets;
import dev.windrow.gather.execution.Execution;
import dev.windrow.gather.fanout.GatherReport;
import dev.windrow.gather.fanout.GatherRequest;
import dev.windrow.gather.fanout.Gatherer;
import dev.windrow.gather.promql.Evaluator;
import dev.windrow.gather.promql.Expression;
import dev.windrow.gather.promql.Expression.Aggregation;
import dev.windrow.gather.promql.Expression.Selection;
import dev.windrow.gather.promql.RangeFunction;
import dev.windrow.gather.promql.Series;
import dev.windrow.gather.query.QueryPlan;
import dev.windrow.gather.query.RangeQuery;
import dev.windrow.measure.Measure;
import dev.windrow.reason.InvalidInputException;
import dev.windrow.reason.Reason;
import dev.windrow.time.Granularity;
import io.smallrye.mutiny.Uni;
import io.smallrye.mutiny.infrastructure.Infrastructure;

/**
 * Reads the series that an expression selects. Results come on a worker thread: windows and values of hundreds of thousands
 * of samples take too long for an event loop.
 */
@ApplicationScoped
public class MetricReader {

    private final Datasets datasets;
    private final Gatherer gatherer;

    MetricReader(Datasets datasets, Gatherer gatherer) {
        this.datasets = datasets;
        this.gatherer = gatherer;
    }

    /**
     * The series of a selection.
     *
     * @throws dev.windrow.reason.InvalidInputException if the function does not fit the measure
     */
    public Uni<Execution<List<Series>>> read(Metric metric, Selection selection, EvaluationTimes times, MetricQuery how) {
        MetricFunctions.check(metric, selection);
        if (selection.sumBy().isPresent() && !metric.measure().kind().isAdditive()) {
            Selection each = selection.ofEachSeries();
            Expression sum = new Aggregation(Aggregation.Operator.SUM, selection.sumBy().get(), each);
            return read(metric, each, times, how).onItem()
                    .transform(execution -> execution.map(found -> new Evaluator(found).series(sum)));
        }
        MetricSelection series = MetricSelection.of(metric, selection.selector(), selection.sumBy());
        if (!series.possible()) {
            return Uni.createFrom().item(new Execution<>(List.of(), List.of(), List.of()));
        }
        MetricRead read = new MetricRead(datasets, how.tenant(), series, how.options(), how.context());
        Granularity finest = read.stored().get(0);
        if (finest.equals(Granularity.FOREVER) && selection.function() != RangeFunction.ALL_TIME) {
            throw new InvalidInputException(Reason.INVALID_PARAMETER, "query", "expected no range, as dataset "
                    + metric.dataset().name() + " keeps only totals of all time here");
        }
        Windows windows = Windows.of(times, selection.window(), finest);
        return sums(read, series, windows, how).onItem().transform(execution -> execution
                .map(sums -> MetricFunctions.series(series, selection, sums.over(windows))));
    }

    /** All parts at the same time, so that they share the deadline. */
    private Uni<Execution<IntervalSums>> sums(MetricRead read, MetricSelection series, Windows windows, MetricQuery how) {
        Granularity granularity = windows.coarsest(read.stored());
        List<Uni<Execution<IntervalSums>>> parts = windows.parts().stream()
                .map(part -> gathered(read.query(part, granularity), series, windows, how)).toList();
        IntervalSums all = new IntervalSums(series, series.metric().dataset().measures(), windows, how);
        if (parts.isEmpty()) {
            return Uni.createFrom().item(new Execution<>(all, List.of(), List.of()));
        }
        return Uni.join().all(parts).andFailFast().emitOn(Infrastructure.getDefaultWorkerPool()).onItem()
                .transform(executions -> {
                    List<Execution.Read> reads = new ArrayList<>();
                    List<GatherReport> reports = new ArrayList<>();
                    executions.forEach(execution -> {
                        all.addAll(execution.result());
                        reads.addAll(execution.reads());
                        reports.addAll(execution.reports());
                    });
                    return new Execution<>(all, reads, reports);
                });
    }

    private Uni<Execution<IntervalSums>> gathered(RangeQuery query, MetricSelection series, Windows windows,
            MetricQuery how) {
        QueryPlan plan = MetricRead.plan(query);
        List<Measure> measures = query.scope().dataset().measures();
        return gatherer.answer(GatherRequest.all(query.scope(), plan, query.options()),
                buckets -> buckets.collect().in(() -> new IntervalSums(series, measures, windows, how),
                        IntervalSums::add))
                .onItem().transform(gathered -> new Execution<>(gathered.result(),
                        List.of(new Execution.Read(plan, gathered)), List.of(gathered.report())));
    }
}
