package dev.windrow.gather.prometheus;

import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

import jakarta.enterprise.context.ApplicationScoped;

import dev.windrow.dataset.Datasets;
import dev.windrow.dataset.Granularity;
import dev.windrow.gather.answer.HeldSize;
import dev.windrow.gather.execution.Execution;
import dev.windrow.gather.fanout.Deadline;
import dev.windrow.gather.fanout.GatherRequest;
import dev.windrow.gather.fanout.Gatherer;
import dev.windrow.gather.merge.Bucket;
import dev.windrow.gather.query.QueryPlan;
import dev.windrow.gather.query.TimeRange;
import dev.windrow.gather.query.TotalsQuery;
import io.smallrye.mutiny.Uni;
import io.smallrye.mutiny.infrastructure.Infrastructure;

/** Finds which series have data in a range. Results come on a worker thread, as there may be hundreds of thousands. */
@ApplicationScoped
public class SeriesReader {

    private final Datasets datasets;
    private final Gatherer gatherer;

    public SeriesReader(Datasets datasets, Gatherer gatherer) {
        this.datasets = datasets;
        this.gatherer = gatherer;
    }

    /**
     * The values of the labels that are left of the selected series, each combination once.
     *
     * @param from the first bucket is the one that holds it
     * @param to the last bucket is the one that holds it
     * @param deadline of this and other reads together
     */
    public Uni<Execution<Set<List<String>>>> read(MetricSelection selection, Instant from, Instant to, MetricQuery how,
            Deadline deadline) {
        if (!selection.possible()) {
            return Uni.createFrom().item(new Execution<>(Set.of(), List.of(), List.of()));
        }
        MetricRead read = new MetricRead(datasets, how.tenant(), selection, how.options(), how.context());
        TotalsQuery query = read.totals(range(read.stored().get(0), from, to));
        QueryPlan plan = query.plan();
        return gatherer.answer(GatherRequest.all(query.scope(), plan, query.options()), deadline, buckets -> buckets
                .collect().<Set<List<String>>> in(HashSet::new, (found, bucket) -> add(found, selection, bucket, how)))
                .emitOn(Infrastructure.getDefaultWorkerPool()).onItem().transform(gathered -> Execution.of(plan, gathered));
    }

    private static void add(Set<List<String>> found, MetricSelection selection, Bucket bucket, MetricQuery how) {
        List<String> values = bucket.label().values();
        if (selection.matches(values)) {
            List<String> kept = selection.kept(values);
            if (found.add(kept)) {
                how.require(found.size());
                how.held().accept(HeldSize.ofLabel(kept));
            }
        }
    }

    private static TimeRange range(Granularity finest, Instant from, Instant to) {
        Instant begin = clamped(from);
        Instant end = clamped(to);
        Instant first = TimeRange.later(finest.floor(begin), TimeRange.ALL.from());
        Instant last = end.equals(TimeRange.END) ? end : TimeRange.ceiling(finest, end.plusNanos(1));
        return new TimeRange(begin.equals(TimeRange.ALL.from()) ? begin : first, TimeRange.later(first, last));
    }

    private static Instant clamped(Instant time) {
        return TimeRange.earlier(TimeRange.later(time, TimeRange.ALL.from()), TimeRange.END);
    }

    /** Whether all series of a metric can be listed: those of a dataset without an index cannot. */
    public static boolean isListed(Metric metric) {
        return !metric.dataset().index().isEmpty();
    }
}
