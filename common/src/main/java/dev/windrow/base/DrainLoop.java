package dev.windrow.base;

import java.util.concurrent.atomic.AtomicInteger;

import org.jspecify.annotations.Nullable;

/**
 * Runs a task on one thread at a time. A call that arrives while the task runs, from another thread or from the task itself,
 * makes it run once more afterwards. So no wake-up is lost, and tasks that complete immediately run in a loop rather than on a
 * deep stack. Thread-safe.
 */
public final class DrainLoop {

    private final Runnable task;
    private final AtomicInteger wakeUps = new AtomicInteger();

    /** @param task starts everything that can be started now; must not block */
    DrainLoop(Runnable task) {
        this.task = task;
    }

    /** Runs the task, or makes the running thread run it again. An exception of the task is thrown once the loop has ended. */
    public void run() {
        if (wakeUps.getAndIncrement() != 0) {
            return;
        }
        Throwable failure = null;
        int missed = 1;
        while (missed != 0) {
            try {
                task.run();
            } catch (RuntimeException | Error thrown) {
                failure = joined(failure, thrown);
            }
            missed = wakeUps.addAndGet(-missed);
        }
        if (failure instanceof Error error) {
            throw error;
        }
        if (failure != null) {
            throw (RuntimeException) failure;
        }
    }

    private static Throwable joined(@Nullable Throwable first, Throwable next) {
        if (first == null || first == next) {
            return next;
        }
        first.addSuppressed(next);
        return first;
    }
}
