package dev.windrow.gather.execution;

import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import jakarta.enterprise.context.ApplicationScoped;

import dev.windrow.gather.answer.SeriesPoint;
import dev.windrow.gather.answer.SeriesRollup;
import dev.windrow.gather.answer.SeriesTransform;
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
import io.smallrye.mutiny.Uni;

/** Gathers series: its range, and where it is filled from its surroundings, the nearest buckets outside the range. */
@ApplicationScoped
public class SeriesExecutor {

    private final Gatherer gatherer;

    SeriesExecutor(Gatherer gatherer) {
        this.gatherer = gatherer;
    }

    /** Buckets beyond the range, and how they were read. */
    private record Beyond(SortedMap<Instant, MeasureValues> buckets, List<GatherReport> reports) {

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

    /** The points in order of time. */
    public Uni<Execution<List<SeriesPoint>>> execute(SeriesQuery query) {
        QueryPlan plan = query.plan();
        Uni<GatherResult<SeriesRollup>> inside = folded(query, plan);
        Uni<Beyond> before = switch (query.fill()) {
            case NONE, ZERO -> Uni.createFrom().item(Beyond.NOTHING);
            case PREVIOUS, LINEAR -> nearest(query, query.before(), true);
        };
        Uni<Beyond> after = switch (query.fill()) {
            case NONE, ZERO, PREVIOUS -> Uni.createFrom().item(Beyond.NOTHING);
            case LINEAR -> nearest(query, query.after(), false);
        };
        return Uni.combine().all().unis(inside, before, after).asTuple().onItem().transform(read -> {
            Beyond all = Beyond.of(read.getItem1()).and(read.getItem2()).and(read.getItem3());
            Beyond outside = read.getItem2().and(read.getItem3());
            return new Execution<>(
                    new SeriesTransform(query).points(read.getItem1().result().folded(), outside.buckets()), plan,
                    read.getItem1(), all.reports());
        });
    }

    private Uni<GatherResult<SeriesRollup>> folded(SeriesQuery query, QueryPlan plan) {
        GatherRequest request = request(query, plan, Order.ASCENDING, Long.MAX_VALUE);
        return gatherer.answer(request, buckets -> buckets.collect().in(() -> new SeriesRollup(query.buckets()),
                (folding, bucket) -> {
                    folding.add(bucket);
                    if (folding.size() > query.maxPoints()) {
                        throw query.tooMany();
                    }
                }));
    }

    /**
     * The buckets nearest to the range in which each measure has a value. Mostly one bucket has all: so one stored bucket
     * is looked for, then the bucket that holds it is read in whole, and only if it lacks a measure those beyond it are.
     */
    private Uni<Beyond> nearest(SeriesQuery query, TimeRange range, boolean latest) {
        if (range.isEmpty()) {
            return Uni.createFrom().item(Beyond.NOTHING);
        }
        GatherRequest request = request(query, query.plan(range, latest), order(latest), 1);
        return gatherer.list(request).onItem().transformToUni(found -> {
            Beyond looked = new Beyond(new TreeMap<>(), List.of(found.report()));
            return found.result().stream().findFirst()
                    .map(bucket -> inBucketAndBeyond(query, range, bucket, latest).onItem().transform(looked::and))
                    .orElseGet(() -> Uni.createFrom().item(looked));
        });
    }

    private Uni<Beyond> inBucketAndBeyond(SeriesQuery query, TimeRange range, Bucket nearest, boolean latest) {
        TimeRange bucket = query.inBucketOf(nearest.start());
        TimeRange rest = latest
                ? new TimeRange(range.from(), TimeRange.later(range.from(), bucket.from()))
                : new TimeRange(TimeRange.earlier(bucket.to(), range.to()), range.to());
        return folded(query, query.plan(bucket, false)).onItem().transformToUni(read -> {
            boolean enough = rest.isEmpty() || read.result().knowsAll(query.scope().dataset().measures());
            Uni<Beyond> more = enough
                    ? Uni.createFrom().item(Beyond.NOTHING)
                    : untilAllKnown(query, rest, latest).onItem().transform(Beyond::of);
            return more.onItem().transform(Beyond.of(read)::and);
        });
    }

    /** Bucket by bucket away from the range, until each measure has a value; no farther than a series may be long. */
    private Uni<GatherResult<SeriesRollup>> untilAllKnown(SeriesQuery query, TimeRange range, boolean latest) {
        GatherRequest request = request(query, query.plan(range, latest), order(latest), Long.MAX_VALUE);
        return gatherer.answer(request, buckets -> Uni.createFrom().deferred(() -> {
            SeriesRollup folding = new SeriesRollup(query.buckets());
            return buckets.select().first(bucket -> {
                boolean enough = folding.knowsAll(query.scope().dataset().measures())
                        || folding.size() >= query.maxPoints();
                boolean goesOn = !enough || folding.hasBegun(bucket);
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

    private static GatherRequest request(SeriesQuery query, QueryPlan plan, Order order, long wanted) {
        return new GatherRequest(query.scope(), plan, Optional.of(query.label()), order, wanted, query.options());
    }
}
