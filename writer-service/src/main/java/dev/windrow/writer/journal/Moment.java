package dev.windrow.writer.journal;

/**
 * The time of an input, as the caller's clocks show it.
 *
 * @param nanos of a clock that never goes back; only differences are meaningful
 * @param millis since the epoch; written into the table, compared between writers only for expiry and by people
 */
public record Moment(long nanos, long millis) {

    private static final long MILLIS = 1_000;

    /** Whole seconds since the epoch. */
    public long seconds() {
        return Math.floorDiv(millis, MILLIS);
    }
}
