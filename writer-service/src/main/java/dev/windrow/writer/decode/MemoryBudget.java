package dev.windrow.writer.decode;

/** The memory that the decoding of one message may take. It grows on demand. */
@FunctionalInterface
public interface MemoryBudget {

    /** As much as there is. */
    MemoryBudget UNLIMITED = bytes -> {
    };

    /**
     * Takes more memory.
     *
     * @param bytes about what is needed in addition to what was taken before
     * @throws MemoryBudgetExceededException if there is not so much now
     */
    void take(long bytes);
}
