package dev.windrow.gather.answer;

import java.util.HashMap;
import java.util.Map;
import java.util.function.LongConsumer;

import dev.windrow.base.InvalidInputException;
import dev.windrow.base.Reason;
import dev.windrow.gather.merge.Bucket;
import dev.windrow.gather.merge.MeasureValues;
import dev.windrow.gather.query.Grouping;
import dev.windrow.gather.query.QueryParameter;
import dev.windrow.table.Label;

/**
 * Sums buckets by group. Exact: every group is summed before any is left out, so memory grows with the groups, whose number
 * is limited.
 */
public final class GroupSums {

    private final Grouping grouping;
    private final LongConsumer held;
    private final Map<Label, MeasureValues> sums = new HashMap<>();

    /** @param held is given the estimated bytes of each new group, and throws if there is no room for it */
    public GroupSums(Grouping grouping, LongConsumer held) {
        this.grouping = grouping;
        this.held = held;
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
            // Others have the room already, and the failure may take a while to get to whoever keeps these sums.
            sums.clear();
            throw noRoom;
        }
        if (sums.size() > grouping.maxGroups()) {
            throw new InvalidInputException(Reason.RANGE_TOO_LONG, QueryParameter.PREFIX.word(), "expected at most "
                    + grouping.maxGroups() + " labels in the range: use a shorter range, or select fewer labels with prefix");
        }
    }

    /** The sums by group. */
    public Map<Label, MeasureValues> sums() {
        return sums;
    }
}
