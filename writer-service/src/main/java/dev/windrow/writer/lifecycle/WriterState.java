package dev.windrow.writer.lifecycle;

import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.LongSupplier;

import jakarta.enterprise.context.ApplicationScoped;

import dev.windrow.writer.message.SourceQueue;

/** The writer's phase, whether it receives, and its progress. */
@ApplicationScoped
public class WriterState {

    /** The phases of the writer's life. */
    public enum Phase {
        STARTING,
        RUNNING,
        DRAINING
    }

    private final AtomicReference<Phase> current = new AtomicReference<>(Phase.STARTING);
    private volatile boolean broken;
    private volatile boolean paused;
    private final Set<String> failingQueues = ConcurrentHashMap.newKeySet();
    private volatile String waitingFor = "queues";
    private final FlowProgress progress;

    WriterState() {
        this(System::nanoTime);
    }

    /** @param nanoTime a clock that never goes back */
    WriterState(LongSupplier nanoTime) {
        this.progress = new FlowProgress(nanoTime);
    }

    FlowProgress progress() {
        return progress;
    }

    /** Notes what the start waits for. */
    void waiting(String problem) {
        waitingFor = problem;
        progress.receiving();
    }

    void running() {
        current.compareAndSet(Phase.STARTING, Phase.RUNNING);
        progress.receiving();
    }

    /** @return whether it was running until now */
    boolean draining() {
        return current.getAndSet(Phase.DRAINING) == Phase.RUNNING;
    }

    /** Notes a receive that succeeded, also one without messages. */
    void received(SourceQueue queue) {
        failingQueues.remove(queue.url());
        progress.receiving();
    }

    /** Notes a receive that failed. */
    void receiveFailed(SourceQueue queue) {
        failingQueues.add(queue.url());
        progress.receiving();
    }

    void pause(boolean pausing) {
        paused = pausing;
    }

    boolean isPaused() {
        return paused;
    }

    /** Whether the writer runs, is neither paused nor broken, and its last receive from each queue succeeded. */
    boolean isReceiving() {
        return phase() == Phase.RUNNING && !paused && !broken && failingQueues.isEmpty();
    }

    /** Notes that only a restart can help. */
    void broken() {
        broken = true;
    }

    boolean isBroken() {
        return broken;
    }

    Phase phase() {
        return Objects.requireNonNull(current.get());
    }

    String waitingFor() {
        return waitingFor;
    }
}
