package dev.windrow.writer.journal;

/**
 * The time of an input, by the caller's clocks.
 *
 * @param nanos time of a monotonic clock; only differences are meaningful
 * @param millis since the epoch; written to the table. Compared between writers only for expiry, and by human readers
 */
public record Now(long nanos, long millis) {

    private static final long MILLIS = 1_000;

    public long seconds() {
        return Math.floorDiv(millis, MILLIS);
    }
}
