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
    private boolean byTime;

    void add(ClaimId id) {
        count++;
        first = Math.min(first, id.millis());
        last = Math.max(last, id.millis());
        byTime = id.kind() == ClaimId.Kind.MESSAGE;
    }

    /** Whether there are enough for a good estimate of the rate; where slots depend on the hash, there is none. */
    boolean isMany() {
        return byTime && count >= MANY;
    }

    /**
     * As many as if they went on like this, where slots depend on time: there, slots that are cut for more than come hold
     * as many as those that they were cut for. Where slots depend on the hash, those that are seen.
     */
    long perMinute() {
        return byTime
                ? count * CutKey.MINUTE_MILLIS
                        / Math.max(isMany() ? SHORTEST_MILLIS_OF_MANY : SHORTEST_MILLIS, last - first)
                : count;
    }
}
