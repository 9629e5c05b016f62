package dev.windrow.bench.experiment;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** Waits of the harness. */
final class Wait {

    private static final long LOOK_NANOS = 2_000_000;

    private Wait() {
    }

    /**
     * Waits until something is so.
     *
     * @throws IllegalStateException if it is not within the limit
     */
    static void until(String what, Duration limit, BooleanSupplier so) {
        long end = System.nanoTime() + limit.toNanos();
        while (!so.getAsBoolean()) {
            if (System.nanoTime() - end > 0) {
                throw new IllegalStateException(what + ": not within " + limit.toSeconds() + " s");
            }
            LockSupport.parkNanos(LOOK_NANOS);
        }
    }

    static void pause(Duration pause) {
        long end = System.nanoTime() + pause.toNanos();
        for (long left = pause.toNanos(); left > 0; left = end - System.nanoTime()) {
            LockSupport.parkNanos(left);
        }
    }
}
