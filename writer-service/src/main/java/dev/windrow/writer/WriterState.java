package dev.windrow.writer;

import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;

import jakarta.enterprise.context.ApplicationScoped;

import org.jspecify.annotations.Nullable;

import dev.windrow.base.Reason;
import dev.windrow.table.TableSchema;
import dev.windrow.writer.DecodeStage.FlowMetrics;
import dev.windrow.writer.decode.Message;
import dev.windrow.writer.decode.Message.SourceQueue;
import dev.windrow.writer.queue.MessageSource.ReceiveListener;
import dev.windrow.writer.table.TableWrites.TableReads;
import dev.windrow.writer.table.TableWrites.TableWrite;

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
    private final LongSupplier nanoTime;
    private final AtomicLong lastReceive;
    private final AtomicLong lastRelease;
    private volatile BooleanSupplier heldBack = () -> false;

    public WriterState() {
        this(System::nanoTime);
    }

    public WriterState(LongSupplier nanoTime) {
        this.nanoTime = nanoTime;
        this.lastReceive = new AtomicLong(nanoTime.getAsLong());
        this.lastRelease = new AtomicLong(nanoTime.getAsLong());
    }

    public void waiting(String problem) {
        waitingFor = problem;
        receiving();
    }

    /** @return whether it may run: it was not told to drain meanwhile */
    public boolean running() {
        receiving();
        return current.compareAndSet(Phase.STARTING, Phase.RUNNING);
    }

    /** @return whether it was running until now */
    public boolean draining() {
        return current.getAndSet(Phase.DRAINING) == Phase.RUNNING;
    }

    /** Notes a receive that succeeded, also one without messages. */
    void received(SourceQueue queue) {
        failingQueues.remove(queue.url());
        receiving();
    }

    void receiveFailed(SourceQueue queue) {
        failingQueues.put(queue.url(), queue.name());
        receiving();
    }

    public void pause(boolean pausing) {
        paused = pausing;
    }

    public boolean isPaused() {
        return paused;
    }

    /** The names of the queues of which the last receive failed. */
    public Iterable<String> failingQueues() {
        return new TreeSet<>(failingQueues.values());
    }

    /** Who knows whether the writer has no lane to claim on. */
    public void lanelessIf(BooleanSupplier has) {
        laneless = has;
    }

    /** Whether it has no lane to claim on: there are only so many, and its own may be lost. */
    public boolean isLaneless() {
        return laneless.getAsBoolean();
    }

    /** Notes that only a restart can help. */
    public void broken() {
        broken = true;
    }

    public boolean isBroken() {
        return broken;
    }

    public Phase phase() {
        return Objects.requireNonNull(current.get());
    }

    public String waitingFor() {
        return waitingFor;
    }

    /** @param receives whether a receive waits for memory */
    public void heldBackWhile(BooleanSupplier receives) {
        heldBack = receives;
    }

    /** A receive started, ended, or was left out in a pause. */
    void receiving() {
        lastReceive.set(nanoTime.getAsLong());
    }

    /** An attempt that may free memory has ended, well or not: a claim, an update, a delete, a return or a dead letter. */
    public void releasing() {
        lastRelease.set(nanoTime.getAsLong());
    }

    /**
     * Nanoseconds since the flow last made progress: since it last received, or, while full memory holds receives back, since
     * it last tried to free some. Attempts count, failed or not: a queue or table that is down is no reason to restart. What
     * goes on in a stuck flow as well, such as renewals of its lane and of visibility timeouts, does not count.
     */
    public long nanosSinceProgress() {
        long now = nanoTime.getAsLong();
        long sinceReceive = now - lastReceive.get();
        return heldBack.getAsBoolean() ? Math.min(sinceReceive, now - lastRelease.get()) : sinceReceive;
    }

    /**
     * A write of a lane or a cut has ended. Claims, which are transactions, are progress of the flow. Renewals of the lane and
     * looks at other lanes are not, as they go on while nothing is claimed; but those that fail are, as claims wait until the
     * table is back. For a writer that finds no free lane they are all there is to do, so they are progress, too.
     */
    public void laneWritten(TableWrite write, @Nullable Throwable failure) {
        boolean upkeep = !write.transactional() && write.updates().get(0).sortKey().equals(TableSchema.LANE_SK);
        ended(failure, !upkeep);
    }

    /** Reads of lanes and records. */
    public TableReads reads(TableReads reads) {
        return (partitionKey, sortKey) -> reads.read(partitionKey, sortKey).onTermination()
                .invoke((done, failure, cancelled) -> ended(failure, false));
    }

    private void ended(@Nullable Throwable failure, boolean needed) {
        if (needed || failure != null || isLaneless()) {
            releasing();
        }
    }

    /** Each start and end of a receive is a sign of life; metrics and state show whether it was a good one. */
    public record ReceiveMonitor(FlowMetrics metrics, WriterState state) implements ReceiveListener {

        @Override
        public void started() {
            state.receiving();
        }

        @Override
        public void received(SourceQueue queue, List<Message> batch) {
            metrics.received(queue, batch);
            state.received(queue);
        }

        @Override
        public void failed(SourceQueue queue, Reason reason) {
            metrics.receiveFailed(queue, reason);
            state.receiveFailed(queue);
        }

        @Override
        public void passed() {
            state.receiving();
        }
    }
}
