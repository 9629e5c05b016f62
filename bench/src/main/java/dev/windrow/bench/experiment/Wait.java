package dev.windrow.bench.experiment;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** Waits of the harness. */
final class Wait {

    private static final Duration LOOK_EVERY = Duration.ofMillis(2);

    private Wait() {
    }

    /** @throws IllegalStateException if something is not so within the limit */
    static void until(String what, Duration limit, BooleanSupplier so) {
        for (long start = System.nanoTime(); !so.getAsBoolean(); pause(LOOK_EVERY)) {
            if (System.nanoTime() - start > limit.toNanos()) {
                throw new IllegalStateException(what + ": not within " + limit.toSeconds() + " s");
            }
        }
    }

    static void pause(Duration pause) {
        long end = System.nanoTime() + pause.toNanos();
        for (long left = pause.toNanos(); left > 0; left = end - System.nanoTime()) {
            LockSupport.parkNanos(left);
        }
    }
}
