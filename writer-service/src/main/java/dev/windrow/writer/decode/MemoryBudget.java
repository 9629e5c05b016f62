package dev.windrow.writer.decode;

import dev.windrow.base.InvalidInputException;
import dev.windrow.base.Reason;

/** The memory budget for decoding one message. It grows on demand. */
@FunctionalInterface
public interface MemoryBudget {

    /**
     * Takes more memory.
     *
     * @param bytes estimated bytes needed in addition to those taken before
     * @throws MemoryBudgetExceededException if that much is not available now
     * @throws InvalidInputException with {@link Reason#MESSAGE_TOO_LARGE} if that much is never available
     */
    void take(long bytes);

    /** Gives back memory taken before, for what is needed next. */
    default void giveBack(long bytes) {
    }

    /**
     * Keeps memory for the result when decoding ends. Nothing may be taken afterwards.
     *
     * @return the bytes kept
     * @throws MemoryBudgetExceededException if more is kept than was taken, and that is not available now
     */
    default long keep(long bytes) {
        return bytes;
    }

}
