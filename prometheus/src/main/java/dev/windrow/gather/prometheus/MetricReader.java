package dev.windrow.gather.prometheus;

import java.time.Clock;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import jakarta.inject.Singleton;

import dev.windrow.dataset.Datasets;
import dev.windrow.dataset.Measure;
import dev.windrow.gather.fanout.Deadline;
import dev.windrow.gather.fanout.Execution;
import dev.windrow.gather.fanout.GatherRequest;
import dev.windrow.gather.fanout.Gatherer;
import dev.windrow.gather.prometheus.Expression.Aggregation;
import dev.windrow.gather.prometheus.Expression.RangeFunction;
import dev.windrow.gather.prometheus.Expression.Selection;
import dev.windrow.time.Granularity;
import io.smallrye.mutiny.Uni;
import io.smallrye.mutiny.infrastructure.Infrastructure;

/**
 * Reads the series that an expression selects, and computes it. Results are delivered on a worker thread: windows and values of
 * hundreds of thousands of samples take too long for an event loop.
 */
@Singleton
public record MetricReader(Datasets datasets, Gatherer gatherer, Clock clock) {

    /**
     * Returns the series of a vector: reads its selections and computes the rest, within the query's deadline and the limit of
     * values for all selections. Reads them one after the other, so that no query has more reads at a time than others.
     *
     * @param metrics of the expression's selections; those without one have no series
     * @param expression not a number
     * @throws dev.windrow.base.InvalidInputException if a function does not fit its measure
     */
    public Uni<Execution<List<MetricSeries>>> read(Map<Selection, Metrics> metrics, Expression expression,
            EvaluationTimes times,
            MetricQuery how) {
        Deadline deadline = Deadline.after(how.timeout(), clock);
        List<SelectionRead> reads = metrics.entrySet().stream()
                .map(entry -> new SelectionRead(entry.getValue(), entry.getKey(), times, how))
                .filter(read -> read.series.possible()).toList();
        Map<Selection, List<MetricSeries>> selected = new HashMap<>();
        // Even if nothing is read.
        Uni<Execution<Long>> all = Uni.createFrom().item(new Execution<>(0L, List.of(), List.of()))
                .emitOn(Infrastructure.getDefaultWorkerPool());
        for (int i = 0; i < reads.size(); i++) {
            SelectionRead read = reads.get(i);
            Deadline own = deadline.firstOf(reads.size() - i);
            all = all.chain(before -> read.sums(before.result(), own).onItem().transform(execution -> {
                List<MetricSeries> found = read.found(execution.result(), deadline);
                selected.put(read.selection, found);
                return execution.map(sums -> before.result() + sums.stream().mapToLong(IntervalSums::values).sum())
                        .after(before);
            }));
        }
        return gatherer.inTime(how.timeout(), all.onItem().transform(execution -> execution.map(
                values -> new Evaluator(selected, times.count(), deadline::check, how.held()).series(expression))));
    }

    /** Says once for a query whether buckets of its windows have expired, and from which step on there are values. */
    Optional<String> expired(Map<Selection, Metrics> metrics, EvaluationTimes times, MetricQuery how) {
        return metrics.entrySet().stream().map(entry -> new SelectionRead(entry.getValue(), entry.getKey(), times, how))
                .filter(read -> read.series.possible())
                .flatMap(read -> Windows.expired(times, read.selection, read.reads.stored, read.reads.horizons()).stream())
                .findFirst();
    }

    private final class SelectionRead {

        private final Selection selection;
        private final Selection read;
        private final MetricSelection series;
        private final MetricRead reads;
        private final EvaluationTimes times;
        private final MetricQuery how;

        SelectionRead(Metrics metric, Selection selection, EvaluationTimes times, MetricQuery how) {
            metric.check(selection);
            this.selection = selection;
            this.read = metric.measure().kind().isAdditive() ? selection : selection.summedBy(Optional.empty());
            this.series = MetricSelection.of(metric, read.selector(), read.sumBy());
            this.reads = new MetricRead(datasets, how.tenant(), series, how.options(), how.context());
            Granularity finest = reads.stored.get(0);
            if (finest.equals(Granularity.FOREVER) && selection.function() != RangeFunction.ALL_TIME) {
                throw PromQl.invalid("dataset " + metric.dataset().name()
                        + " stores only all-time totals: leave out the range");
            }
            this.times = times;
            this.how = how;
        }

        /** Returns the series that were found. Measures other than counts and sums are added up only here. */
        List<MetricSeries> found(List<IntervalSums> sums, Deadline deadline) {
            List<MetricSeries> each = series.series(read, IntervalSums.over(sums));
            return read.equals(selection)
                    ? each
                    : new Evaluator(Map.of(read, each), times.count(), deadline::check, how.held())
                            .series(new Aggregation(Aggregation.Operator.SUM, selection.sumBy().orElseThrow(), read));
        }

        /**
         * Reads all parts at the same time, so that they share the deadline. Builds the windows only now: those of all
         * selections would take much memory that is not accounted for.
         *
         * @param before number of values of other selections
         */
        Uni<Execution<List<IntervalSums>>> sums(long before, Deadline deadline) {
            List<IntervalSums> all = new ArrayList<>();
            List<IntervalSums> wholes = new ArrayList<>();
            List<Uni<Execution<IntervalSums>>> parts = new ArrayList<>();
            for (Windows some : Windows.of(times, selection, reads.stored, reads.horizons())) {
                IntervalSums whole = new IntervalSums(series, series.metric().dataset().measures(), some, before, how);
                all.add(whole);
                for (Windows.Part part : some.parts()) {
                    wholes.add(whole);
                    Optional<Granularity> undivided = part.divided() ? Optional.of(some.coarsest()) : Optional.empty();
                    RangeRead query = reads.read(part.range(), undivided, some.horizons().expired());
                    List<Measure> measures = query.scope().dataset().measures();
                    parts.add(gatherer.answer(GatherRequest.all(query.scope(), query.plan(), query.options()), deadline,
                            buckets -> buckets.collect().in(() -> new IntervalSums(series, measures, some, before, how),
                                    IntervalSums::add)));
                }
            }
            Execution<List<IntervalSums>> none = new Execution<>(all, List.of(), List.of());
            if (parts.isEmpty()) {
                return Uni.createFrom().item(none);
            }
            return Uni.join().all(parts).andFailFast().emitOn(Infrastructure.getDefaultWorkerPool()).onItem()
                    .transform(executions -> {
                        Execution<List<IntervalSums>> joined = none;
                        for (int i = 0; i < executions.size(); i++) {
                            wholes.get(i).addAll(executions.get(i).result());
                            joined = executions.get(i).map(part -> all).after(joined);
                        }
                        return joined;
                    });
        }
    }

}
