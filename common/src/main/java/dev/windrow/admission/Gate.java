package dev.windrow.admission;

/**
 * What an {@link AdmissionQueue} admits work by: permits, memory, a rate. The queue calls it under its own lock, so it must
 * be short and must not call the queue.
 */
public interface Gate {

    /**
     * Takes what a work needs, if it is available now.
     *
     * @param weight of the work, in the gate's own unit: permits, bytes, write units
     * @return whether it was taken
     */
    boolean tryTake(long weight);

    /**
     * Called once for each weight taken, when its work has completed, failed or been cancelled. A rate limiter, whose tokens
     * do not come back, ignores it.
     */
    void giveBack(long weight);
}
