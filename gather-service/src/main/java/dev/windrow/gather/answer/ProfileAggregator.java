package dev.windrow.gather.answer;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;

import dev.windrow.gather.merge.Bucket;
import dev.windrow.gather.merge.MeasureValues;
import dev.windrow.gather.query.BusiestQuery;
import dev.windrow.gather.query.Profile;

/** Sums buckets by hour of the day, day of the week or hour of the week. */
public final class ProfileAggregator {

    private final BusiestQuery query;
    private final Profile profile;
    private final Map<Integer, MeasureValues> sums = new TreeMap<>();

    public ProfileAggregator(BusiestQuery query, Profile profile) {
        this.query = query;
        this.profile = profile;
    }

    /**
     * One slot.
     *
     * @param slot as numbered by the {@link Profile}
     * @param values its measures over all days or weeks of the range
     */
    public record Slot(int slot, MeasureValues values) {
    }

    /** Adds a bucket. */
    public void add(Bucket bucket) {
        sums.merge(profile.slot(bucket.start(), query.zone()), bucket.values(), MeasureValues::combine);
    }

    /** Every slot in order, including empty ones. */
    public List<Slot> slots() {
        MeasureValues nothing = MeasureValues.none(query.scope().dataset().measures());
        return IntStream.range(profile.first(), profile.first() + profile.size())
                .mapToObj(slot -> new Slot(slot, sums.getOrDefault(slot, nothing))).toList();
    }
}
