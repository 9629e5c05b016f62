package dev.windrow.gather.answer;

import java.time.Instant;
import java.util.SortedMap;
import java.util.TreeMap;

import dev.windrow.gather.merge.Bucket;
import dev.windrow.gather.merge.Values;
import dev.windrow.gather.query.LocalBuckets;

/** Sums stored buckets up to the buckets asked for. */
public final class SeriesFolding {

    private final LocalBuckets buckets;
    private final SortedMap<Instant, Values> folded = new TreeMap<>();

    public SeriesFolding(LocalBuckets buckets) {
        this.buckets = buckets;
    }

    /** Adds a stored bucket. */
    public void add(Bucket stored) {
        folded.merge(buckets.floor(stored.start()), stored.values(), Values::combine);
    }

    /** How many buckets have data. */
    public int size() {
        return folded.size();
    }

    /** The values of buckets with data, by start. */
    public SortedMap<Instant, Values> folded() {
        return folded;
    }
}
