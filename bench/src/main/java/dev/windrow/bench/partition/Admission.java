package dev.windrow.bench.partition;

import java.time.Duration;

/** Whether a request may be applied. */
public sealed interface Admission {

    /**
     * It may.
     *
     * @param indexLag how long its slowest index entry waits in the queue of its partition
     */
    record Admitted(Duration indexLag) implements Admission {
    }

    /**
     * It may not: nothing was taken.
     *
     * @param at the partition key that is out of capacity
     */
    record Throttled(Resource at) implements Admission {
    }
}
