package dev.windrow.gather.top;

import java.util.HashMap;
import java.util.Map;
import java.util.function.Function;
import java.util.function.LongConsumer;

import dev.windrow.base.InvalidInputException;
import dev.windrow.base.Reason;
import dev.windrow.gather.fanout.HeldMemory;
import dev.windrow.gather.fanout.HeldSize;
import dev.windrow.gather.parameter.QueryParameter;
import dev.windrow.gather.plan.Bucket;
import dev.windrow.gather.plan.MeasureValues;
import dev.windrow.table.Label;
import io.smallrye.mutiny.Multi;
import io.smallrye.mutiny.Uni;
import io.smallrye.mutiny.infrastructure.Infrastructure;

/**
 * Sums buckets by group. Exact: every group is summed before any is left out, so memory grows with the number of groups,
 * which is limited.
 */
public final class GroupSums {

    private final Grouping grouping;
    private final LongConsumer held;
    final Map<Label, MeasureValues> sums = new HashMap<>();

    /** @param held receives the estimated bytes of each new group, and throws if there is no room for it */
    public GroupSums(Grouping grouping, LongConsumer held) {
        this.grouping = grouping;
        this.held = held;
    }

    /**
     * Picks from the sums of all groups.
     *
     * @param held the memory held by the sums
     * @param pick runs on a worker thread: a million groups take too long for an event loop
     */
    public static <T> Function<Multi<Bucket>, Uni<T>> picked(Grouping grouping, HeldMemory.Share held,
            Function<Map<Label, MeasureValues>, T> pick) {
        return buckets -> buckets.collect().in(() -> new GroupSums(grouping, held::add), GroupSums::add)
                .emitOn(Infrastructure.getDefaultWorkerPool()).map(all -> pick.apply(all.sums));
    }

    /**
     * Adds a bucket.
     *
     * @throws InvalidInputException with {@link Reason#RANGE_TOO_LONG} if there are too many groups
     */
    public void add(Bucket bucket) {
        Label group = grouping.group(bucket.label());
        int before = sums.size();
        sums.merge(group, bucket.values(), MeasureValues::combine);
        if (sums.size() == before) {
            return;
        }
        try {
            held.accept(HeldSize.of(group.values(), bucket.values()));
        } catch (RuntimeException noRoom) {
            // The memory is no longer reserved, and the failure may take a while to reach the owner of these sums.
            sums.clear();
            throw noRoom;
        }
        if (sums.size() > grouping.maxGroups()) {
            throw new InvalidInputException(Reason.RANGE_TOO_LONG, QueryParameter.PREFIX.word(), "expected at most "
                    + grouping.maxGroups()
                    + " labels in the range: use a shorter range, or select fewer labels with prefix or where");
        }
    }
}
