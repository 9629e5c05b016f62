package dev.windrow.writer.journal.claim;

/** Estimates how many ids a minute will have, from those seen first. Not thread-safe. */
final class Density {

    /** A few messages sent at once say nothing about a second. */
    private static final long SHORTEST_MILLIS = 1_000;
    /** A thousand say that a tenth of it has as many. */
    private static final long SHORTEST_MILLIS_OF_MANY = 100;
    private static final int MANY = 1_000;

    private long count;
    private long first = Long.MAX_VALUE;
    private long last = Long.MIN_VALUE;

    void add(ClaimId id) {
        count++;
        first = Math.min(first, id.millis());
        last = Math.max(last, id.millis());
    }

    /** Whether there are enough for a good estimate of the rate. */
    boolean isMany() {
        return count >= MANY;
    }

    /**
     * As many as if they went on like this: as slots depend on time, those that are cut for more than come hold as many as
     * those that they were cut for.
     */
    long perMinute() {
        return count * CutKey.MINUTE_MILLIS
                / Math.max(isMany() ? SHORTEST_MILLIS_OF_MANY : SHORTEST_MILLIS, last - first);
    }
}
