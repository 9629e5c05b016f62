package dev.windrow.writer.decode;

/** Thrown if there is not enough memory to decode a message; it must wait until other messages have ended. */
public final class MemoryBudgetExceededException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    public MemoryBudgetExceededException() {
        super("memory budget exceeded", null, false, false);
    }
}
