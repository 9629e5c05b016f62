package dev.windrow.base;

/**
 * Decides which tasks an {@link AdmissionQueue} admits: by permits, memory or a rate. The queue calls it under its own
 * lock, so it must be fast and must not call the queue.
 */
public interface Gate {

    /**
     * Takes what a task needs, if it is available now.
     *
     * @param weight the task's weight, in the gate's own unit: permits, bytes, write units
     * @return whether it was taken
     */
    boolean tryTake(long weight);

    /**
     * Called once for each weight taken, when its task has completed, failed or been cancelled. A rate limiter, whose
     * tokens do not come back, ignores it.
     */
    void giveBack(long weight);
}
