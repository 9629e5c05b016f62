package dev.windrow.gather.testing;

import static org.awaitility.Awaitility.await;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.util.PriorityQueue;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Delayed;
import java.util.concurrent.FutureTask;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

import org.jspecify.annotations.Nullable;

import dev.windrow.testing.Patience;
import io.smallrye.mutiny.Uni;

/** A clock that the test advances, and a scheduler that runs tasks as their time comes. */
public final class SimulatedTime extends ScheduledThreadPoolExecutor {

    private final Queue<Task> tasks = new PriorityQueue<>();
    private long nanos;
    private long submitted;

    public SimulatedTime() {
        super(0);
    }

    private final class Task extends FutureTask<Object> implements ScheduledFuture<Object> {

        private final long due;
        private final long number = submitted++;

        Task(Runnable action, long due) {
            super(action, null);
            this.due = due;
        }

        @Override
        public long getDelay(TimeUnit unit) {
            return unit.convert(Duration.ofNanos(due - nanos));
        }

        @Override
        public int compareTo(Delayed other) {
            Task that = (Task) other;
            return due == that.due ? Long.compare(number, that.number) : Long.compare(due, that.due);
        }
    }

    public synchronized long nanos() {
        return nanos;
    }

    public Clock clockFrom(Instant start) {
        return ((InstantSource) () -> start.plusNanos(nanos())).withZone(ZoneOffset.UTC);
    }

    @Override
    public synchronized ScheduledFuture<?> schedule(Runnable action, long delay, TimeUnit unit) {
        Task task = new Task(action, nanos + unit.toNanos(delay));
        tasks.add(task);
        return task;
    }

    @Override
    public void execute(Runnable action) {
        ScheduledFuture<?> unused = schedule(action, 0, TimeUnit.NANOSECONDS);
    }

    /** Advances the time and runs the tasks that become due. */
    public synchronized void pass(Duration span) {
        long end = nanos + span.toNanos();
        while (!tasks.isEmpty() && tasks.element().due <= end) {
            Task next = tasks.remove();
            nanos = Math.max(nanos, next.due);
            next.run();
        }
        nanos = end;
    }

    /**
     * Returns the outcome of a computation that waits in this time, which jumps to the end of each wait in turn. If other
     * threads take part, there may be only one wait at a time, begun after their work is done.
     */
    public <T> T outcome(Uni<T> waiting) {
        CompletableFuture<T> outcome = waiting.subscribeAsCompletionStage();
        await().atMost(Patience.LIMIT).pollDelay(Duration.ZERO).pollInterval(Duration.ofMillis(1)).until(() -> {
            Task next = outcome.isDone() ? null : next();
            if (next != null) {
                next.run();
            }
            return outcome.isDone();
        });
        return outcome.join();
    }

    private synchronized @Nullable Task next() {
        tasks.removeIf(Task::isCancelled);
        Task next = tasks.poll();
        if (next != null) {
            nanos = Math.max(nanos, next.due);
        }
        return next;
    }

    public synchronized boolean isIdle() {
        tasks.removeIf(Task::isCancelled);
        return tasks.isEmpty();
    }
}
