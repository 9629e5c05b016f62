package dev.windrow.gather.fanout;

import java.time.Duration;

import dev.windrow.gather.query.DatasetScope;
import dev.windrow.gather.query.QueryOptions;
import dev.windrow.gather.query.QueryPlan;

/**
 * What is to be gathered.
 *
 * @param scope whose
 * @param plan the reads
 * @param order the order of the answer; all shards of the plan are read in it
 * @param wanted how many buckets are wanted; {@link Long#MAX_VALUE} for all there are
 * @param streamed whether the answer is handed on as it comes
 * @param options how to read
 */
public record GatherRequest(DatasetScope scope, QueryPlan plan, Order order, long wanted,
        boolean streamed, QueryOptions options) {

    /** At most so many buckets, in order. */
    public GatherRequest(DatasetScope scope, QueryPlan plan, Order order, long wanted,
            QueryOptions options) {
        this(scope, plan, order, wanted, false, options);
    }

    /** The same as a stream of any length: the timeout bounds each wait, not the whole answer. */
    public GatherRequest asStream() {
        return new GatherRequest(scope, plan, order, wanted, true, options);
    }

    /** The same with another timeout. */
    GatherRequest within(Duration left) {
        return new GatherRequest(scope, plan, order, wanted, streamed, options.within(left));
    }

    /** The order of an answer. */
    public enum Order {
        ASCENDING,
        DESCENDING,
        /** None: stages are read at the same time. */
        ANY
    }

    /** All buckets there are, in no order: for sums. */
    public static GatherRequest all(DatasetScope scope, QueryPlan plan, QueryOptions options) {
        return new GatherRequest(scope, plan, Order.ANY, Long.MAX_VALUE, options);
    }
}
