package dev.windrow.writer.journal.apply;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

import dev.windrow.table.BucketKey;
import dev.windrow.table.Freshness.Watermark;

/** Which records of one lane are in their buckets, as a whole and by granularity. Not thread-safe. */
public final class Progress {

    private final WriteEvery writeEvery;
    private final Map<String, Tier> tiers = new HashMap<>();
    private long position;

    Progress(long position, WriteEvery writeEvery) {
        this.position = position;
        this.writeEvery = writeEvery;
    }

    /** The next record; {@code at} is one more than the position of the last. */
    void add(long at) {
        if (at != position + 1) {
            throw new IllegalStateException("expected record " + (position + 1) + ", found " + at);
        }
        position = at;
    }

    Tier tier(String granularity) {
        return tiers.computeIfAbsent(granularity, name -> new Tier(name, writeEvery));
    }

    /** The position of the last record that was added. */
    public long position() {
        return position;
    }

    /** All records up to this position are in all their buckets, or parked, or the rest of them is in a later record. */
    public long applied() {
        return first(false) - 1;
    }

    /** All records up to this position are in their buckets of granularities that are written promptly. */
    public long promptlyApplied() {
        return first(true) - 1;
    }

    private long first(boolean promptOnly) {
        long first = position + 1;
        for (Tier tier : tiers.values()) {
            if (!tier.isWhole() && (tier.isPrompt() || !promptOnly)) {
                first = Math.min(first, tier.oldest());
            }
        }
        return first;
    }

    /** The granularities that lag. */
    public List<Watermark> watermarks() {
        List<Watermark> watermarks = new ArrayList<>();
        for (Tier tier : tiers.values()) {
            if (!tier.isWhole()) {
                watermarks.add(new Watermark(tier.granularity(), tier.oldest() - 1, tier.oldestMillis(),
                        BucketKey.startSeconds(tier.earliestSortKey()).orElse(Watermark.ANY_START)));
            }
        }
        return watermarks;
    }

    /** How many records are not wholly applied, those between them included. */
    public int records() {
        return (int) (position - applied());
    }
}
