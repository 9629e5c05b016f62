package dev.windrow.base;

import io.smallrye.mutiny.Uni;

/**
 * A task that an {@link AdmissionQueue} starts. It keeps its own state, so that frequent tasks need no extra object:
 * {@link AdmissionQueue#run} does the same for any {@code Uni}.
 * <p>
 * A task is submitted once. A task that is cancelled while it waits is withdrawn. A task that was started, even after it
 * was cancelled, releases what was taken for it exactly once, after it has stopped.
 */
public interface Admissible {

    /** The weight as the gate counts it; constant. */
    long weight();

    /**
     * The owner on whose behalf the task runs; constant. Owners with waiting tasks take turns, so that one with many tasks
     * does not hold up the others. By default, all tasks share one owner.
     */
    default Object owner() {
        return Admissible.class;
    }

    /** Called once the task is admitted. Must not throw. A task that was cancelled only releases what was taken for it. */
    void start();

    /** Called instead of {@link #start} if too many tasks are waiting already. */
    void refused(RuntimeException refusal);

    /** Whether the task ended before it was started. */
    boolean isAbandoned();
}
