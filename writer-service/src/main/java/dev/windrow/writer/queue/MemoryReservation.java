package dev.windrow.writer.queue;

import dev.windrow.base.InvalidInputException;
import dev.windrow.base.Reason;
import dev.windrow.writer.decode.MemoryBudget;
import dev.windrow.writer.decode.MemoryBudgetExceededException;

/**
 * Memory for decoding one message, taken from the limiter in steps on demand. A message may take as much as there is when
 * it is alone, and no more. Not thread-safe.
 */
public final class MemoryReservation implements MemoryBudget {

    private static final long STEP = 256 * 1_024;

    private final InFlightLimiter limiter;
    private final boolean alone;
    private final long most;
    private long granted;
    private long used;
    private long needed;

    MemoryReservation(InFlightLimiter limiter, boolean alone, long most, long granted) {
        this.limiter = limiter;
        this.alone = alone;
        this.most = most;
        this.granted = granted;
    }

    @Override
    public void take(long bytes) {
        grow(used + bytes);
        used += bytes;
    }

    @Override
    public void giveBack(long bytes) {
        used -= bytes;
    }

    @Override
    public long keep(long bytes) {
        grow(bytes);
        granted -= bytes;
        return bytes;
    }

    /** The most that was needed so far, even if it was not available. */
    public long needed() {
        return needed;
    }

    private void grow(long bytes) {
        needed = Math.max(needed, bytes);
        if (bytes > most) {
            throw new InvalidInputException(Reason.MESSAGE_TOO_LARGE, "message", "takes more than " + most
                    + " bytes of memory to decode: send fewer events per message, or compress less text together");
        }
        if (bytes > granted) {
            long more = Math.min(Math.max(bytes, granted + STEP), most) - granted;
            if (!limiter.tryGrow(more, alone)) {
                throw new MemoryBudgetExceededException();
            }
            granted += more;
        }
    }

    /** Frees what is not {@linkplain #keep kept}. */
    public void close() {
        limiter.shrink(granted);
    }
}
