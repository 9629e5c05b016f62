package dev.windrow.gather.testing;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/** A timer whose tasks run when the test decides. */
public final class ManualTimer extends ScheduledThreadPoolExecutor {

    private static final long NEVER_DAYS = 1;

    private final List<Task> tasks = new ArrayList<>();

    public ManualTimer() {
        super(1);
    }

    private record Task(Runnable action, ScheduledFuture<?> handle, boolean again) {
    }

    @Override
    public ScheduledFuture<?> schedule(Runnable action, long delay, TimeUnit unit) {
        return add(action, false);
    }

    @Override
    public ScheduledFuture<?> scheduleAtFixedRate(Runnable action, long first, long period, TimeUnit unit) {
        return add(action, true);
    }

    private synchronized ScheduledFuture<?> add(Runnable action, boolean again) {
        ScheduledFuture<?> handle = super.schedule(() -> {
        }, NEVER_DAYS, TimeUnit.DAYS);
        tasks.add(new Task(action, handle, again));
        return handle;
    }

    public synchronized int pending() {
        tasks.removeIf(task -> task.handle().isCancelled());
        return tasks.size();
    }

    /** Runs all tasks that are pending now, on this thread. */
    public void runAll() {
        List<Task> due;
        synchronized (this) {
            due = List.copyOf(tasks);
            tasks.removeIf(task -> !task.again());
        }
        due.stream().filter(task -> !task.handle().isCancelled()).forEach(task -> task.action().run());
    }
}
