package dev.windrow.gather.execution;

import java.util.List;
import java.util.function.Function;

import jakarta.enterprise.context.ApplicationScoped;

import dev.windrow.gather.answer.BusiestBuckets;
import dev.windrow.gather.answer.ProfileAggregator;
import dev.windrow.gather.fanout.GatherRequest;
import dev.windrow.gather.fanout.Gatherer;
import dev.windrow.gather.merge.Bucket;
import dev.windrow.gather.query.BusiestQuery;
import dev.windrow.gather.query.Profile;
import dev.windrow.gather.query.QueryPlan;
import io.smallrye.mutiny.Multi;
import io.smallrye.mutiny.Uni;

/** Sums the buckets of all labels, start by start or slot by slot of a profile. */
@ApplicationScoped
public class BusiestExecutor {

    private final Gatherer gatherer;

    BusiestExecutor(Gatherer gatherer) {
        this.gatherer = gatherer;
    }

    /** The busiest buckets, busiest first. */
    public Uni<Execution<List<BusiestBuckets.Total>>> busiest(BusiestQuery query) {
        return execute(query, buckets -> buckets.collect().in(() -> new BusiestBuckets(query), BusiestBuckets::add)
                .onItem().transform(BusiestBuckets::top));
    }

    /** Every slot of a profile. */
    public Uni<Execution<List<ProfileAggregator.Slot>>> profile(BusiestQuery query, Profile profile) {
        return execute(query,
                buckets -> buckets.collect().in(() -> new ProfileAggregator(query, profile), ProfileAggregator::add)
                        .onItem().transform(ProfileAggregator::slots));
    }

    private <T> Uni<Execution<T>> execute(BusiestQuery query, Function<Multi<Bucket>, Uni<T>> use) {
        QueryPlan plan = query.plan();
        // In order, as the buckets of one start must come together.
        GatherRequest request = new GatherRequest(query.scope(), plan,
                GatherRequest.Order.ASCENDING, Long.MAX_VALUE, query.options());
        return gatherer.answer(request, use).onItem().transform(gathered -> Execution.of(plan, gathered));
    }
}
