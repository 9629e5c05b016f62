package dev.windrow.writer.flow;

import dev.windrow.writer.decode.Allowance;
import dev.windrow.writer.decode.NoRoomException;
import dev.windrow.writer.source.Room;

/** Memory taken from the room while one message is decoded, in steps as it is needed. Not thread-safe. */
final class MemoryGrant implements Allowance {

    private static final long STEP = 256 * 1_024;

    private final Room room;
    private final boolean forced;
    private long granted;
    private long used;

    /**
     * @param granted was taken from the room already
     * @param forced whether it gets what the room does not have
     */
    MemoryGrant(Room room, long granted, boolean forced) {
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
            throw new NoRoomException();
        }
        granted += more;
    }

    /** Gives everything back. */
    void close() {
        room.shrink(granted);
    }
}
