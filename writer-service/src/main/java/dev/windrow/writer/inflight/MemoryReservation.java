package dev.windrow.writer.inflight;

import dev.windrow.writer.decode.MemoryBudget;
import dev.windrow.writer.decode.MemoryBudgetExceededException;

/** Memory taken from the limiter while one message is decoded, in steps on demand. Not thread-safe. */
public final class MemoryReservation implements MemoryBudget {

    private static final long STEP = 256 * 1_024;

    private final InFlightLimiter limiter;
    private final boolean forced;
    private long granted;
    private long used;

    /**
     * @param granted was taken from the limiter already
     * @param forced whether it may exceed the limit
     */
    public MemoryReservation(InFlightLimiter limiter, long granted, boolean forced) {
        this.limiter = limiter;
        this.granted = granted;
        this.forced = forced;
    }

    @Override
    public void take(long bytes) {
        used += bytes;
        if (used <= granted) {
            return;
        }
        long more = Math.max(used - granted, STEP);
        if (forced) {
            limiter.grow(more);
        } else if (!limiter.tryGrow(more)) {
            throw new MemoryBudgetExceededException();
        }
        granted += more;
    }

    /** Releases everything. */
    public void close() {
        limiter.shrink(granted);
    }
}
