package dev.windrow.gather.api;

import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

import jakarta.enterprise.context.ApplicationScoped;

import dev.windrow.gather.answer.Point;
import dev.windrow.gather.answer.SeriesFolding;
import dev.windrow.gather.answer.SeriesShape;
import dev.windrow.gather.fanout.GatherRequest;
import dev.windrow.gather.fanout.GatherRequest.Order;
import dev.windrow.gather.fanout.Gathered;
import dev.windrow.gather.fanout.Gatherer;
import dev.windrow.gather.merge.Bucket;
import dev.windrow.gather.merge.Values;
import dev.windrow.gather.query.Plan;
import dev.windrow.gather.query.SeriesQuery;
import dev.windrow.gather.query.TimeRange;
import io.smallrye.mutiny.Uni;

/** Reads a series: its range, and where it is filled from its surroundings, the nearest buckets outside the range. */
@ApplicationScoped
class SeriesReader {

    private final Gatherer gatherer;

    SeriesReader(Gatherer gatherer) {
        this.gatherer = gatherer;
    }

    /**
     * A series as read.
     *
     * @param points its points
     * @param inside how the range was read
     * @param complete whether nothing is missing, outside the range neither
     */
    record Series(List<Point> points, Gathered<?> inside, boolean complete) {
    }

    Uni<Series> read(SeriesQuery query) {
        Uni<Gathered<SeriesFolding>> inside = folded(query, query.range());
        Uni<Optional<Gathered<SeriesFolding>>> before = switch (query.fill()) {
            case NONE, ZERO -> Uni.createFrom().item(Optional.empty());
            case PREVIOUS, LINEAR -> nearest(query, query.before(), true);
        };
        Uni<Optional<Gathered<SeriesFolding>>> after = switch (query.fill()) {
            case NONE, ZERO, PREVIOUS -> Uni.createFrom().item(Optional.empty());
            case LINEAR -> nearest(query, query.after(), false);
        };
        return Uni.combine().all().unis(inside, before, after).asTuple().onItem().transform(read -> {
            SortedMap<Instant, Values> outside = new TreeMap<>();
            boolean complete = read.getItem1().report().isComplete();
            for (Optional<Gathered<SeriesFolding>> side : List.of(read.getItem2(), read.getItem3())) {
                side.ifPresent(found -> outside.putAll(found.result().folded()));
                complete &= side.map(found -> found.report().isComplete()).orElse(true);
            }
            return new Series(new SeriesShape(query).points(read.getItem1().result().folded(), outside),
                    read.getItem1(), complete);
        });
    }

    private Uni<Gathered<SeriesFolding>> folded(SeriesQuery query, TimeRange range) {
        GatherRequest request = request(query, query.plan(range, false), Order.ASCENDING, Long.MAX_VALUE);
        return gatherer.answer(request, buckets -> buckets.collect().in(() -> new SeriesFolding(query.buckets()),
                (folding, bucket) -> {
                    folding.add(bucket);
                    if (folding.size() > query.mostPoints()) {
                        throw query.tooMany();
                    }
                }));
    }

    /** The whole bucket asked for that holds the nearest stored one. */
    private Uni<Optional<Gathered<SeriesFolding>>> nearest(SeriesQuery query, TimeRange range, boolean latest) {
        if (range.isEmpty()) {
            return Uni.createFrom().item(Optional.empty());
        }
        GatherRequest request = request(query, query.plan(range, latest), latest ? Order.DESCENDING : Order.ASCENDING, 1);
        return gatherer.list(request).onItem().transformToUni(found -> {
            Optional<Bucket> nearest = found.result().stream().findFirst();
            return nearest.isPresent()
                    ? folded(query, query.inBucketOf(nearest.get().start())).onItem().transform(Optional::of)
                    : Uni.createFrom().item(Optional.<Gathered<SeriesFolding>> empty());
        });
    }

    private static GatherRequest request(SeriesQuery query, Plan plan, Order order, long wanted) {
        return new GatherRequest(query.scope(), plan, Optional.of(query.label()), order, wanted, query.options());
    }
}
