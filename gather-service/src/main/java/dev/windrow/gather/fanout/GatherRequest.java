package dev.windrow.gather.fanout;

import java.util.Optional;

import dev.windrow.gather.query.Plan;
import dev.windrow.gather.query.ReadOptions;
import dev.windrow.gather.query.Scope;
import dev.windrow.key.Label;

/**
 * What is to be gathered.
 *
 * @param scope whose
 * @param plan the reads
 * @param label the one label that is read from the table; absent for reads of the index
 * @param descending the order all stages are read in
 * @param wanted how many buckets are wanted; {@link Long#MAX_VALUE} for all there are
 * @param options how to read
 */
public record GatherRequest(Scope scope, Plan plan, Optional<Label> label, boolean descending, long wanted,
        ReadOptions options) {

    /** All buckets there are, in time order. */
    public static GatherRequest all(Scope scope, Plan plan, Optional<Label> label, ReadOptions options) {
        return new GatherRequest(scope, plan, label, false, Long.MAX_VALUE, options);
    }
}
