package dev.windrow.gather.prometheus;

import java.time.Clock;
import java.util.ArrayList;
import java.util.List;

import jakarta.enterprise.context.ApplicationScoped;

import dev.windrow.base.InvalidInputException;
import dev.windrow.base.Reason;
import dev.windrow.dataset.Datasets;
import dev.windrow.dataset.Granularity;
import dev.windrow.dataset.Measure;
import dev.windrow.gather.execution.Execution;
import dev.windrow.gather.fanout.Deadline;
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
import io.smallrye.mutiny.Uni;
import io.smallrye.mutiny.infrastructure.Infrastructure;

/**
 * Reads the series that an expression selects, and computes it. Results come on a worker thread: windows and values of
 * hundreds of thousands of samples take too long for an event loop.
 */
@ApplicationScoped
public class MetricReader {

    private final Datasets datasets;
    private final Gatherer gatherer;
    private final Clock clock;

    MetricReader(Datasets datasets, Gatherer gatherer, Clock clock) {
        this.datasets = datasets;
        this.gatherer = gatherer;
        this.clock = clock;
    }

    /**
     * The series of a vector: reads what it selects, and computes the rest, by the query's deadline.
     *
     * @param expression no number
     * @throws dev.windrow.base.InvalidInputException if the function does not fit the measure
     */
    public Uni<Execution<List<Series>>> read(Metric metric, Expression expression, EvaluationTimes times, MetricQuery how) {
        Selection selection = expression.selection().orElseThrow();
        MetricFunctions.check(metric, selection);
        boolean addedUp = selection.sumBy().isEmpty() || metric.measure().kind().isAdditive();
        Selection read = addedUp ? selection : selection.ofEachSeries();
        MetricSelection series = MetricSelection.of(metric, read.selector(), read.sumBy());
        if (!series.possible()) {
            return Uni.createFrom().item(new Execution<>(List.of(), List.of(), List.of()));
        }
        MetricRead reads = new MetricRead(datasets, how.tenant(), series, how.options(), how.context());
        Granularity finest = reads.stored().get(0);
        if (finest.equals(Granularity.FOREVER) && selection.function() != RangeFunction.ALL_TIME) {
            throw new InvalidInputException(Reason.INVALID_PARAMETER, "query", "expected no range, as dataset "
                    + metric.dataset().name() + " keeps only totals of all time here");
        }
        Deadline deadline = Deadline.after(how.timeout(), clock);
        Windows windows = Windows.of(times, selection.window(), finest);
        return sums(reads, series, windows, how).onItem().transform(execution -> execution.map(sums -> {
            List<Series> found = MetricFunctions.series(series, read, sums.over(windows));
            List<Series> selected = addedUp
                    ? found
                    : new Evaluator(found, deadline::check)
                            .series(new Aggregation(Aggregation.Operator.SUM, selection.sumBy().orElseThrow(), read));
            return new Evaluator(selected, deadline::check).series(expression);
        }));
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
                .onItem().transform(gathered -> Execution.of(plan, gathered));
    }
}
