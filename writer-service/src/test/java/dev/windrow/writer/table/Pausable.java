package dev.windrow.writer.table;

import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.Executor;

/** An executor that can be put to sleep. Thread-safe. */
final class Pausable implements Executor {

    private final Executor executor;
    private final Queue<Runnable> waiting = new ArrayDeque<>();
    private boolean paused;

    Pausable(Executor executor) {
        this.executor = executor;
    }

    @Override
    public synchronized void execute(Runnable task) {
        if (paused) {
            waiting.add(task);
        } else {
            executor.execute(task);
        }
    }

    synchronized void pause() {
        paused = true;
    }

    synchronized void resume() {
        paused = false;
        while (!waiting.isEmpty()) {
            executor.execute(waiting.remove());
        }
    }
}
