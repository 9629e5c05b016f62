package dev.windrow.writer.journal;

import dev.windrow.writer.journal.lane.Lane;

/**
 * When messages are claimed: once in each interval, at a part of it that belongs to the lane, so that writers, whose claims
 * meet in the same slots, do not claim at the same moment. Not thread-safe.
 */
final class FlushTimes {

    private static final int LANE_BITS = Integer.numberOfTrailingZeros(Lane.MAX_LANES);

    private final long everyMillis;
    private long offsetMillis;
    private long lastInterval;

    FlushTimes(long everyMillis) {
        this.everyMillis = Math.max(1, everyMillis);
    }

    /** A lane is ours: lanes of low numbers are far from each other, however few there are. */
    void start(int lane) {
        offsetMillis = everyMillis * (Integer.reverse(lane) >>> (Integer.SIZE - LANE_BITS)) / Lane.MAX_LANES;
    }

    /** Whether a new interval has started since the last call that returned true. */
    boolean hasCome(long nowMillis) {
        long interval = Math.floorDiv(nowMillis - offsetMillis, everyMillis);
        // Another, not a later one: a clock may be set back.
        boolean come = interval != lastInterval;
        lastInterval = interval;
        return come;
    }
}
