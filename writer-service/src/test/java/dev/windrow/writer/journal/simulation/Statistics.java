package dev.windrow.writer.journal.simulation;

import java.util.EnumMap;
import java.util.Map;

/** Counts what happened in runs, to show that the simulation covers it. */
final class Statistics {

    enum Seen {
        CLAIMS,
        REFUSED_CLAIMS,
        RECOVERIES,
        CRASHES,
        PAUSES,
        DRAINS,
        CONFLICTS,
        /** Transactions that met a half-committed one. */
        HALF_COMMITTED,
        LATE,
        LETTERS,
        REPLAYS,
        /** Updates that were found partly applied. */
        PARTIAL,
        FENCED,
        UNCLAIMABLE,
        DENIED,
        /** Updates of buckets that were answered as not taken yet. */
        NOT_YET,
        DEFERRALS,
        /** Lanes with such a record that were recovered. */
        RECOVERED_DEFERRALS,
        /** Items of held lanes that were deleted. */
        FORGOTTEN,
        /** Writers that stopped because of that. */
        STOPPED,
        DATASET_CHANGES,
        EMPTY_FLEETS
    }

    private final Map<Seen, Long> counts = new EnumMap<>(Seen.class);
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
