package dev.windrow.writer;

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

import dev.windrow.table.TableSchema;
import dev.windrow.writer.decode.SourceQueue;
import dev.windrow.writer.table.TableReads;
import dev.windrow.writer.table.TableWrite;

/** The writer's phase, whether it receives, and whether it makes progress. */
@ApplicationScoped
public class WriterState {

    public enum Phase {
        STARTING,
        RUNNING,
        DRAINING
    }

    private final AtomicReference<Phase> current = new AtomicReference<>(Phase.STARTING);
    private volatile boolean broken;
    private volatile boolean paused;
    /** Queue names by URL. */
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

    /** Returns whether the writer may run; not if it was told to drain while it started. */
    public boolean running() {
        receiving();
        return current.compareAndSet(Phase.STARTING, Phase.RUNNING);
    }

    /** Returns whether the writer was running until now. */
    public boolean draining() {
        return current.getAndSet(Phase.DRAINING) == Phase.RUNNING;
    }

    /** Records a successful receive, even one without messages. */
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

    /** Names of the queues whose last receive failed. */
    public Iterable<String> failingQueues() {
        return new TreeSet<>(failingQueues.values());
    }

    /** Sets the supplier for {@link #isLaneless()}. */
    public void lanelessIf(BooleanSupplier has) {
        laneless = has;
    }

    /** Whether the writer has no lane to claim on: all lanes may be taken, or it may have lost its own. */
    public boolean isLaneless() {
        return laneless.getAsBoolean();
    }

    /** Records that only a restart can help. */
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

    /** @param receives returns true while a receive waits for memory */
    public void heldBackWhile(BooleanSupplier receives) {
        heldBack = receives;
    }

    /** Records that a receive started, ended, or was skipped because receiving is paused. */
    void receiving() {
        lastReceive.set(nanoTime.getAsLong());
    }

    /** Records the end of an attempt that may free memory: a claim, update, delete, return or dead letter, failed or not. */
    public void releasing() {
        lastRelease.set(nanoTime.getAsLong());
    }

    /**
     * Nanoseconds since the flow last made progress: since its last receive or, while full memory delays receives, since its
     * last attempt to free some. Failed attempts count too: a queue or table that is down is no reason to restart. Work that
     * continues in a stuck flow, such as renewing the lane or visibility timeouts, does not count.
     */
    public long nanosSinceProgress() {
        long now = nanoTime.getAsLong();
        long sinceReceive = now - lastReceive.get();
        return heldBack.getAsBoolean() ? Math.min(sinceReceive, now - lastRelease.get()) : sinceReceive;
    }

    /**
     * Records the end of a write of a lane or a cut. Claims, which are transactions, count as progress. Lane renewals and
     * checks of other lanes do not, as they continue while nothing is claimed. If one fails, it does count, as claims wait
     * until the table is back. It also counts in a writer without a lane, which has nothing else to do.
     */
    public void laneWritten(TableWrite write, @Nullable Throwable failure) {
        boolean upkeep = !write.transactional() && write.updates().get(0).sortKey().equals(TableSchema.LANE_SK);
        ended(failure, !upkeep);
    }

    /** Wraps reads of lanes and records to record their end. */
    public TableReads reads(TableReads reads) {
        return (partitionKey, sortKey) -> reads.read(partitionKey, sortKey).onTermination()
                .invoke((done, failure, cancelled) -> ended(failure, false));
    }

    private void ended(@Nullable Throwable failure, boolean needed) {
        if (needed || failure != null || isLaneless()) {
            releasing();
        }
    }

}
