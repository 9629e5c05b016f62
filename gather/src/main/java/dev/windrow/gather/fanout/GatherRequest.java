package dev.windrow.gather.fanout;

import java.time.Duration;

import dev.windrow.gather.plan.DatasetScope;
import dev.windrow.gather.plan.QueryOptions;
import dev.windrow.gather.plan.QueryPlan;

/**
 * A request to gather buckets.
 *
 * @param order the order of the answer; all shards of the plan are read in it
 * @param wanted how many buckets are wanted; {@link Long#MAX_VALUE} for all there are
 */
public record GatherRequest(DatasetScope scope, QueryPlan plan, GatherOrder order, long wanted, QueryOptions options) {

    GatherRequest within(Duration left) {
        return new GatherRequest(scope, plan, order, wanted, options.within(left));
    }

    /** Requests all buckets in any order, for sums. */
    public static GatherRequest all(DatasetScope scope, QueryPlan plan, QueryOptions options) {
        return new GatherRequest(scope, plan, GatherOrder.ANY, Long.MAX_VALUE, options);
    }
}
