package dev.windrow.writer.journal.simulation;

import java.util.EnumMap;
import java.util.Map;

/** What happened in runs, to see that the simulation simulates. */
final class Statistics {

    enum Seen {
        CLAIMS,
        REFUSED_CLAIMS,
        RECOVERIES,
        CRASHES,
        PAUSES,
        DRAINS,
        CONFLICTS,
        /** Transactions met by others. */
        HALF_COMMITTED,
        LATE,
        LETTERS,
        REPLAYS,
        /** Updates found applied in part. */
        PARTIAL,
        FENCED,
        UNCLAIMABLE,
        DENIED,
        /** Updates of buckets that were answered before they are done. */
        NOT_YET,
        /** Records of additions that some items did not take. */
        DEFERRALS,
        /** Lanes with such a record that were recovered. */
        RECOVERED_DEFERRALS,
        /** Items of held lanes that were deleted. */
        FORGOTTEN,
        /** Writers that stopped over it. */
        STOPPED,
        /** Starts of writers with another declaration of the datasets than those before. */
        DATASET_CHANGES,
        EMPTY_FLEETS
    }

    private final Map<Seen, Long> counts = new EnumMap<>(Seen.class);
    /** That ran at once. */
    long maxWriters;

    void count(Seen what) {
        counts.merge(what, 1L, Long::sum);
    }

    void count(Seen what, boolean happened) {
        if (happened) {
            count(what);
        }
    }

    long of(Seen what) {
        return counts.getOrDefault(what, 0L);
    }

    void add(Statistics other) {
        other.counts.forEach((what, count) -> counts.merge(what, count, Long::sum));
        maxWriters = Math.max(maxWriters, other.maxWriters);
    }

    @Override
    public String toString() {
        return counts + ", writers at once up to " + maxWriters;
    }
}
