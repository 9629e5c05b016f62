package dev.windrow.writer.decode;

/** The memory that the decoding of one message may take. It grows on demand. */
@FunctionalInterface
public interface MemoryBudget {

    /**
     * Takes more memory.
     *
     * @param bytes estimated size of what is needed in addition to what was taken before
     * @throws MemoryBudgetExceededException if there is not that much now
     */
    void take(long bytes);

    /** There is not enough memory now to decode a message; it must wait until other messages have ended. */
    public static final class MemoryBudgetExceededException extends RuntimeException {

        private static final long serialVersionUID = 1L;

        public MemoryBudgetExceededException() {
            super("memory budget exceeded", null, false, false);
        }
    }
}
