package dev.windrow.gather.execution;

import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import dev.windrow.gather.answer.SeriesRollup;
import dev.windrow.gather.fanout.Deadline;
import dev.windrow.gather.fanout.GatherReport;
import dev.windrow.gather.fanout.GatherRequest;
import dev.windrow.gather.fanout.GatherRequest.Order;
import dev.windrow.gather.fanout.GatherResult;
import dev.windrow.gather.fanout.Gatherer;
import dev.windrow.gather.merge.Bucket;
import dev.windrow.gather.merge.MeasureValues;
import dev.windrow.gather.query.QueryPlan;
import dev.windrow.gather.query.SeriesQuery;
import dev.windrow.gather.query.TimeRange;
import dev.windrow.table.Label;
import io.smallrye.mutiny.Uni;

/** Reads the buckets of one series: those of its range, and the nearest ones outside that it is filled from. */
final class SeriesReads {

    private final Gatherer gatherer;
    private final SeriesQuery query;
    private final Predicate<Label> labels;
    private final Deadline deadline;
    private final int left;

    /**
     * @param labels which of the selected labels belong to the series
     * @param deadline of all reads together
     * @param left how many series are still to be filled one after the other, this one included
     */
    SeriesReads(Gatherer gatherer, SeriesQuery query, Predicate<Label> labels, Deadline deadline, int left) {
        this.gatherer = gatherer;
        this.query = query;
        this.labels = labels;
        this.deadline = deadline;
        this.left = left;
    }

    /** Buckets beyond the range, and how they were read. */
    record Beyond(SortedMap<Instant, MeasureValues> buckets, List<GatherReport> reports) {

        private static final Beyond NOTHING = new Beyond(new TreeMap<>(), List.of());

        static Beyond of(GatherResult<SeriesRollup> read) {
            return new Beyond(read.result().folded(), List.of(read.report()));
        }

        Beyond and(Beyond more) {
            SortedMap<Instant, MeasureValues> all = new TreeMap<>(buckets);
            all.putAll(more.buckets);
            return new Beyond(all, Stream.concat(reports.stream(), more.reports.stream()).toList());
        }
    }

    /** The buckets of the range, or as many of them as are enough. */
    Uni<GatherResult<SeriesRollup>> inside(QueryPlan plan) {
        return query.isCutShort()
                ? until(plan, order(query.descending()), folding -> folding.size() >= query.limit().orElseThrow(), deadline)
                : folded(plan, deadline);
    }

    /** What the range is filled from. */
    Uni<Beyond> outside() {
        Uni<Beyond> before = switch (query.fill()) {
            case NONE, ZERO -> Uni.createFrom().item(Beyond.NOTHING);
            case PREVIOUS, LINEAR -> nearest(query.before(), true);
        };
        Uni<Beyond> after = switch (query.fill()) {
            case NONE, ZERO, PREVIOUS -> Uni.createFrom().item(Beyond.NOTHING);
            case LINEAR -> nearest(query.after(), false);
        };
        return Uni.combine().all().unis(before, after).with(Beyond::and);
    }

    private Uni<GatherResult<SeriesRollup>> folded(QueryPlan plan, Deadline by) {
        GatherRequest request = request(plan, Order.ASCENDING, Long.MAX_VALUE);
        return gatherer.answer(request, by, buckets -> buckets.select().where(this::belongs)
                .collect().in(() -> new SeriesRollup(query.buckets()), (folding, bucket) -> {
                    folding.add(bucket);
                    if (folding.size() > query.maxPoints()) {
                        throw query.tooMany();
                    }
                }));
    }

    private boolean belongs(Bucket bucket) {
        return labels.test(bucket.label());
    }

    /**
     * The buckets nearest to the range in which each measure has a value. Usually one bucket has all of them: one stored
     * bucket is searched, then the whole bucket that holds it is read, and those beyond only if it lacks a measure. So
     * time is shared as if each series took two reads, and a third read takes some of the time of the second.
     */
    private Uni<Beyond> nearest(TimeRange range, boolean latest) {
        if (range.isEmpty()) {
            return Uni.createFrom().item(Beyond.NOTHING);
        }
        GatherRequest request = request(query.plan(range, latest), order(latest),
                query.groups().isEmpty() ? 1 : Long.MAX_VALUE);
        return gatherer.answer(request, deadline.firstOf(2 * left), buckets -> buckets.select().where(this::belongs)
                .collect().first().onItem().transform(Optional::ofNullable)).onItem().transformToUni(found -> {
                    Beyond looked = new Beyond(new TreeMap<>(), List.of(found.report()));
                    return found.result()
                            .map(bucket -> inBucketAndBeyond(range, bucket, latest).onItem().transform(looked::and))
                            .orElseGet(() -> Uni.createFrom().item(looked));
                });
    }

    private Uni<Beyond> inBucketAndBeyond(TimeRange range, Bucket nearest, boolean latest) {
        TimeRange bucket = query.inBucketOf(nearest.start());
        TimeRange rest = latest
                ? new TimeRange(range.from(), TimeRange.later(range.from(), bucket.from()))
                : new TimeRange(TimeRange.earlier(bucket.to(), range.to()), range.to());
        Deadline last = deadline.firstOf(2 * left - 1);
        Deadline first = rest.isEmpty() ? last : deadline.firstOf(2 * left);
        return folded(query.plan(bucket, false), first).onItem().transformToUni(read -> {
            boolean enough = rest.isEmpty() || read.result().knowsAll(query.scope().dataset().measures());
            Uni<Beyond> more = enough
                    ? Uni.createFrom().item(Beyond.NOTHING)
                    : untilAllKnown(rest, latest, last).onItem().transform(Beyond::of);
            return more.onItem().transform(Beyond.of(read)::and);
        });
    }

    /** Bucket by bucket away from the range, until each measure has a value; no farther than a series may be long. */
    private Uni<GatherResult<SeriesRollup>> untilAllKnown(TimeRange range, boolean latest, Deadline by) {
        return until(query.plan(range, latest), order(latest),
                folding -> folding.knowsAll(query.scope().dataset().measures()) || folding.size() >= query.maxPoints(),
                by);
    }

    /** Bucket by bucket, and no farther than to the end of the bucket with which there are enough. */
    private Uni<GatherResult<SeriesRollup>> until(QueryPlan plan, Order order, Predicate<SeriesRollup> enough,
            Deadline by) {
        GatherRequest request = request(plan, order, Long.MAX_VALUE);
        return gatherer.answer(request, by, buckets -> Uni.createFrom().deferred(() -> {
            SeriesRollup folding = new SeriesRollup(query.buckets());
            return buckets.select().where(this::belongs).select().first(bucket -> {
                boolean goesOn = !enough.test(folding) || folding.hasBegun(bucket);
                if (goesOn) {
                    folding.add(bucket);
                }
                return goesOn;
            }).collect().with(Collectors.counting()).onItem().transform(count -> folding);
        }));
    }

    private static Order order(boolean latest) {
        return latest ? Order.DESCENDING : Order.ASCENDING;
    }

    private GatherRequest request(QueryPlan plan, Order order, long wanted) {
        return new GatherRequest(query.scope(), plan, order, wanted, query.options());
    }
}
