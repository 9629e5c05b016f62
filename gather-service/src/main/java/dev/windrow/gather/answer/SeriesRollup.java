package dev.windrow.gather.answer;

import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

import dev.windrow.dataset.Measure;
import dev.windrow.gather.merge.Bucket;
import dev.windrow.gather.merge.MeasureValues;
import dev.windrow.gather.query.ZonedBuckets;

/** Sums stored buckets up to the requested buckets. */
public final class SeriesRollup {

    private final ZonedBuckets buckets;
    private final SortedMap<Instant, MeasureValues> folded = new TreeMap<>();
    private final Set<Measure> withValue = new HashSet<>();

    public SeriesRollup(ZonedBuckets buckets) {
        this.buckets = buckets;
    }

    /** Adds a stored bucket. */
    public void add(Bucket stored) {
        folded.merge(buckets.floor(stored.start()), stored.values(), MeasureValues::combine);
        stored.values().forEach((measure, value) -> {
            if (value != null) {
                withValue.add(measure);
            }
        });
    }

    /** Whether a stored bucket belongs to a bucket that has been started. */
    public boolean hasBegun(Bucket stored) {
        return folded.containsKey(buckets.floor(stored.start()));
    }

    /** Whether each of these has a value in some bucket. */
    public boolean knowsAll(List<Measure> measures) {
        return withValue.containsAll(measures);
    }

    /** How many buckets have data. */
    public int size() {
        return folded.size();
    }

    /** The values of buckets with data, by start. */
    public SortedMap<Instant, MeasureValues> folded() {
        return folded;
    }
}
