package dev.windrow.admission;

/**
 * A task that an {@link AdmissionQueue} starts. It keeps its own state, so that frequent tasks need no object beside them:
 * {@link AdmissionQueue#run} does the same for any {@code Uni}.
 * <p>
 * A task is submitted once. One that is cancelled while it waits is withdrawn. One that was started, even after it was
 * cancelled, releases what was taken for it once it has stopped, exactly once.
 */
public interface Admissible {

    /** Its weight as the gate counts it; always the same. */
    long weight();

    /**
     * On whose behalf it is done; always the same. Owners whose tasks wait take turns, so that one with many tasks does not
     * keep others from theirs. By default all are one.
     */
    default Object owner() {
        return Admissible.class;
    }

    /** Called once it is admitted. It must not throw. A task that was cancelled only releases what was taken for it. */
    void start();

    /** Called instead if too many tasks wait already. */
    void refused(RuntimeException refusal);

    /** Whether it ended before it was started. */
    boolean isAbandoned();
}
