package dev.windrow.writer.flow;

import dev.windrow.writer.decode.MemoryBudget;
import dev.windrow.writer.decode.MemoryBudgetExceededException;
import dev.windrow.writer.source.InFlightLimiter;

/** Memory taken from the room while one message is decoded, in steps as it is needed. Not thread-safe. */
final class MemoryReservation implements MemoryBudget {

    private static final long STEP = 256 * 1_024;

    private final InFlightLimiter room;
    private final boolean forced;
    private long granted;
    private long used;

    /**
     * @param granted was taken from the room already
     * @param forced whether it gets what the room does not have
     */
    MemoryReservation(InFlightLimiter room, long granted, boolean forced) {
        this.room = room;
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
            room.grow(more);
        } else if (!room.tryGrow(more)) {
            throw new MemoryBudgetExceededException();
        }
        granted += more;
    }

    /** Gives everything back. */
    void close() {
        room.shrink(granted);
    }
}
