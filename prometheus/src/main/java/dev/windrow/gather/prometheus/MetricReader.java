package dev.windrow.gather.prometheus;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongConsumer;

import jakarta.inject.Singleton;

import dev.windrow.base.InvalidInputException;
import dev.windrow.base.Reason;
import dev.windrow.dataset.Datasets;
import dev.windrow.dataset.Granularity;
import dev.windrow.dataset.Measure;
import dev.windrow.gather.plan.DatasetScope;
import dev.windrow.gather.plan.Horizons;
import dev.windrow.gather.plan.Horizons.Expired;
import dev.windrow.gather.plan.LabelSelection;
import dev.windrow.gather.plan.Parameters;
import dev.windrow.gather.plan.Planner;
import dev.windrow.gather.plan.QueryContext;
import dev.windrow.gather.plan.QueryContext.QueryOptions;
import dev.windrow.gather.plan.QueryContext.RangeSum;
import dev.windrow.gather.plan.QueryKind;
import dev.windrow.gather.plan.QueryParameter;
import dev.windrow.gather.plan.QueryPlan;
import dev.windrow.gather.plan.SummedRange;
import dev.windrow.gather.plan.TimeRange;
import dev.windrow.gather.prometheus.Evaluator.Series;
import dev.windrow.gather.prometheus.Expression.Aggregation;
import dev.windrow.gather.prometheus.Expression.RangeFunction;
import dev.windrow.gather.prometheus.Expression.Selection;
import dev.windrow.gather.prometheus.Metrics.MetricSelection;
import dev.windrow.gather.prometheus.Windows.IntervalSums;
import dev.windrow.gather.read.Deadline;
import dev.windrow.gather.read.Execution;
import dev.windrow.gather.read.Gatherer;
import dev.windrow.gather.read.Gatherer.GatherRequest;
import dev.windrow.gather.request.RequestParser.RollupChooser;
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
    public Uni<Execution<List<Series>>> read(Map<Selection, Metrics> metrics, Expression expression, EvaluationTimes times,
            MetricQuery how) {
        Deadline deadline = Deadline.after(how.timeout(), clock);
        List<SelectionRead> reads = metrics.entrySet().stream()
                .map(entry -> new SelectionRead(entry.getValue(), entry.getKey(), times, how))
                .filter(read -> read.series.possible()).toList();
        Map<Selection, List<Series>> selected = new HashMap<>();
        // Even if nothing is read.
        Uni<Execution<Long>> all = Uni.createFrom().item(new Execution<>(0L, List.of(), List.of()))
                .emitOn(Infrastructure.getDefaultWorkerPool());
        for (int i = 0; i < reads.size(); i++) {
            SelectionRead read = reads.get(i);
            Deadline own = deadline.firstOf(reads.size() - i);
            all = all.chain(before -> read.sums(before.result(), own).onItem().transform(execution -> {
                List<Series> found = read.found(execution.result(), deadline);
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
        List<Series> found(List<IntervalSums> sums, Deadline deadline) {
            List<Series> each = series.series(read, IntervalSums.over(sums));
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

    /** Plans the reads of a selection: sums of ranges, and of buckets where windows divide a range. */
    static final class MetricRead {

        private final RollupChooser rollups;
        private final DatasetScope scope;
        private final MetricSelection selection;
        private final Map<String, List<String>> given = new HashMap<>();
        private final Parameters parameters;
        /** The granularities that the selected series are read from, finest first. */
        final List<Granularity> stored;
        private final QueryContext context;

        /** @param options parameters of the API that say how to read */
        MetricRead(Datasets datasets, String tenant, MetricSelection selection, Map<String, List<String>> options,
                QueryContext context) {
            this.rollups = new RollupChooser(datasets);
            this.scope = new DatasetScope(tenant, selection.metric().dataset());
            this.selection = selection;
            given.putAll(options);
            given.put(QueryParameter.LABEL.word(), selection.firstValues());
            selection.prefix().ifPresent(prefix -> given.put(QueryParameter.PREFIX.word(), List.of(prefix)));
            this.parameters = Parameters.of(QueryKind.TOTALS, given);
            this.stored = scope.stored(scope.consistentSelection(parameters));
            this.context = context;
        }

        Horizons horizons() {
            return context.horizons(scope);
        }

        /**
         * Returns the read of a range.
         *
         * @param range aligned to the finest granularity that exists at its start, and cut at its horizon
         * @param undivided the granularity whose buckets no bound of a window divides; empty if none divides the range
         * @param expired why the range is not what it would be without retention, if so
         */
        RangeRead read(TimeRange range, Optional<Granularity> undivided, List<Expired> expired) {
            return rollups.choose(scope, labelsUsed(), read -> {
                LabelSelection labels = read.consistentSelection(parameters);
                List<Granularity> available = read.stored(labels);
                Horizons horizons = context.horizons(read).because(expired);
                Optional<Granularity> buckets = undivided.flatMap(whole -> available.stream().filter(candidate -> candidate
                        .nestsIn(whole) && !horizons.of(candidate).isAfter(range.from())).reduce((finer, coarser) -> coarser));
                if (undivided.isPresent() ? buckets.isEmpty() : !SummedRange.isExact(available, range, horizons)) {
                    throw new InvalidInputException(Reason.INVALID_PARAMETER, QueryParameter.GRANULARITY.word(),
                            "expected one whose buckets begin at " + range.from() + " and " + range.to());
                }
                return new RangeRead(read, labels, range, buckets, QueryOptions.of(parameters, context, horizons));
            });
        }

        /** Returns the parameters by which a roll-up is chosen. */
        private Parameters labelsUsed() {
            Map<String, List<String>> raw = new HashMap<>(given);
            List<String> attributes = scope.dataset().label();
            raw.put(QueryParameter.GROUP_BY.word(), new ArrayList<>(attributes.subList(0, selection.labelsUsed())));
            raw.put(QueryParameter.GRANULARITY.word(), List.of(stored.get(0).name()));
            return Parameters.of(QueryKind.SERIES, raw);
        }
    }

    /**
     * The read of one range. A roll-up may answer it, because windows add up.
     *
     * @param range aligned to the finest granularity that is read
     * @param buckets the coarsest buckets that no bound of a window divides; absent if none divides the range
     */
    record RangeRead(DatasetScope scope, LabelSelection selection, TimeRange range, Optional<Granularity> buckets,
            QueryOptions options) implements RangeSum {

        /** Returns the reads: the coarsest buckets that tile the range, finer ones at its edges and where coarse ones lag. */
        @Override
        public QueryPlan plan() {
            Planner planner = new Planner(scope, selection, options);
            List<Granularity> stored = scope.stored(selection);
            return buckets.map(coarsest -> planner.tiled(
                    stored.stream().filter(finer -> finer.nestsIn(coarsest)).toList(), range.alignedTo(coarsest), false))
                    .orElseGet(() -> planner.tiled(stored, range, false));
        }

        @Override
        public List<Object> summed() {
            return List.of(range, buckets);
        }
    }

    /**
     * The tenant whose data a selection reads, and how it is read.
     *
     * @param options parameters of the API that say how to read, by name
     * @param context limits, and how fresh the table is
     * @param maxSamples maximum number of values, series times steps
     * @param held receives the estimated bytes of what is held in addition, and throws if there is no room for it
     */
    public record MetricQuery(String tenant, Map<String, List<String>> options, QueryContext context, int maxSamples,
            LongConsumer held) {

        public Duration timeout() {
            return context.timeout(Parameters.of(QueryKind.TOTALS, options));
        }

        /** @throws InvalidInputException with {@link Reason#RANGE_TOO_LONG} if there are too many values */
        public void require(long samples) {
            if (samples > maxSamples) {
                throw new InvalidInputException(Reason.RANGE_TOO_LONG, "query", "expected at most " + maxSamples
                        + " samples (series times steps): use fewer labels, a shorter range or longer steps");
            }
        }
    }

    /**
     * The times at which a query is evaluated.
     *
     * @param step from one time to the next; positive
     * @param count number of times; positive
     */
    public record EvaluationTimes(Instant start, Duration step, int count) {

        public static EvaluationTimes at(Instant time) {
            return new EvaluationTimes(time, Duration.ofSeconds(1), 1);
        }

        public Instant at(long index) {
            return start.plus(step.multipliedBy(index));
        }
    }
}
