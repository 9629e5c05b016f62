package dev.windrow.gather.fanout;

import java.time.Duration;
import java.util.PriorityQueue;
import java.util.Queue;
import java.util.concurrent.Delayed;
import java.util.concurrent.FutureTask;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/** A clock that the test sets, and a scheduler that runs everything in the test's own thread when its time has come. */
final class SimulatedTime extends ScheduledThreadPoolExecutor {

    private final Queue<Task> tasks = new PriorityQueue<>();
    private long nanos;
    private long submitted;

    SimulatedTime() {
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

    long nanos() {
        return nanos;
    }

    @Override
    public ScheduledFuture<?> schedule(Runnable action, long delay, TimeUnit unit) {
        Task task = new Task(action, nanos + unit.toNanos(delay));
        tasks.add(task);
        return task;
    }

    @Override
    public void execute(Runnable action) {
        ScheduledFuture<?> unused = schedule(action, 0, TimeUnit.NANOSECONDS);
    }

    /** Lets time pass, and does what is due meanwhile. */
    void pass(Duration span) {
        long end = nanos + span.toNanos();
        while (!tasks.isEmpty() && tasks.element().due <= end) {
            Task next = tasks.remove();
            nanos = Math.max(nanos, next.due);
            next.run();
        }
        nanos = end;
    }

    /** Whether there is nothing left to do. */
    boolean isIdle() {
        tasks.removeIf(Task::isCancelled);
        return tasks.isEmpty();
    }
}
