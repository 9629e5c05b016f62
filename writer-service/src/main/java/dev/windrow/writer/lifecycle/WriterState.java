package dev.windrow.writer.lifecycle;

import java.util.Map;
import java.util.Objects;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;
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
    /** Names by URL. */
    private final Map<String, String> failingQueues = new ConcurrentHashMap<>();
    private volatile BooleanSupplier laneless = () -> true;
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

    /** @return whether it may run: it was not told to drain meanwhile */
    boolean running() {
        progress.receiving();
        return current.compareAndSet(Phase.STARTING, Phase.RUNNING);
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
        failingQueues.put(queue.url(), queue.name());
        progress.receiving();
    }

    void pause(boolean pausing) {
        paused = pausing;
    }

    boolean isPaused() {
        return paused;
    }

    /** The names of the queues of which the last receive failed. */
    Iterable<String> failingQueues() {
        return new TreeSet<>(failingQueues.values());
    }

    /** Who knows whether the writer has no lane to claim on. */
    void lanelessIf(BooleanSupplier has) {
        laneless = has;
    }

    /** Whether it has no lane to claim on: there are only so many, and its own may be lost. */
    boolean isLaneless() {
        return laneless.getAsBoolean();
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
