package dev.windrow.writer.decode;

/** The memory that the decoding of one message may take. It grows on demand. */
@FunctionalInterface
public interface MemoryBudget {

    /** Unlimited. */
    MemoryBudget UNLIMITED = bytes -> {
    };

    /**
     * Takes more memory.
     *
     * @param bytes estimated size of what is needed in addition to what was taken before
     * @throws MemoryBudgetExceededException if there is not that much now
     */
    void take(long bytes);
}
