package dev.windrow.admission;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;

import io.smallrye.mutiny.Uni;

/**
 * Starts asynchronous tasks as its {@link Gate} admits them. Owners take turns, and the tasks of each are first come, first
 * served: a heavy task whose turn it is is not overtaken by lighter ones. Permits are released exactly once, however a task
 * ends; a task that is cancelled
 * while it waits leaves the queue. Thread-safe.
 */
public final class AdmissionQueue {

    private final Gate gate;
    private final int maxWaiting;
    private final Supplier<? extends RuntimeException> refusal;
    /** Tasks that have been admitted, but not started yet. */
    private final Deque<Admissible> admitted = new ArrayDeque<>();
    /** By owner, the one first whose turn it is. Sets, so that a cancelled task is removed in constant time. */
    private final Map<Object, Set<Admissible>> waiting = new LinkedHashMap<>();
    private int waitingCount;
    private final DrainLoop starts = new DrainLoop(this::startAdmitted);

    /** A queue that refuses nothing: how much can wait must be bounded elsewhere. */
    public AdmissionQueue(Gate gate) {
        this(gate, Integer.MAX_VALUE, () -> new IllegalStateException("the queue is full"));
    }

    /**
     * @param maxWaiting maximum number of waiting tasks, 0 to let none wait; more are refused
     * @param refusal the failure of a refused task
     */
    public AdmissionQueue(Gate gate, int maxWaiting, Supplier<? extends RuntimeException> refusal) {
        this.gate = gate;
        this.maxWaiting = maxWaiting;
        this.refusal = refusal;
    }

    /**
     * Runs a task once it is admitted.
     *
     * @param weight as the gate counts it; a weight that the gate never admits blocks all tasks behind it
     * @return the task's item or failure; cancelling it cancels the task, or its wait
     */
    public <T> Uni<T> run(long weight, Supplier<Uni<T>> work) {
        return run(weight, work, false);
    }

    /**
     * The same, but tasks that its end admits are started after its outcome has been delivered: the outcome does not wait
     * until they have been started, which may take long.
     */
    public <T> Uni<T> runAndDeliver(long weight, Supplier<Uni<T>> work) {
        return run(weight, work, true);
    }

    private <T> Uni<T> run(long weight, Supplier<Uni<T>> work, boolean deliversFirst) {
        return Uni.createFrom().emitter(emitter -> {
            QueuedWork<T> queued = new QueuedWork<>(this, weight, work, emitter, deliversFirst);
            emitter.onTermination(queued::cancel);
            submit(queued);
        });
    }

    /** Starts a task once it is admitted, which may be at once. */
    public void submit(Admissible work) {
        if (!enqueue(work)) {
            work.refused(refusal.get());
            return;
        }
        if (work.isAbandoned()) {
            withdraw(work);
        }
        starts.run();
    }

    /** Admits what the gate admits now. To be called when the gate may admit more for other reasons, such as time. */
    public void wakeUp() {
        starts.run();
    }

    /** How many tasks wait to be admitted. */
    public synchronized int waiting() {
        return waitingCount;
    }

    private synchronized boolean enqueue(Admissible work) {
        if (waitingCount == 0 && gate.tryTake(work.weight())) {
            return admitted.add(work);
        }
        if (waitingCount == maxWaiting) {
            return false;
        }
        waitingCount++;
        return waiting.computeIfAbsent(work.owner(), owner -> new LinkedHashSet<>()).add(work);
    }

    /**
     * Removes a cancelled task; those behind it may be lighter. An admitted one releases its permits when it is started.
     */
    public void withdraw(Admissible work) {
        synchronized (this) {
            Set<Admissible> ofOwner = waiting.get(work.owner());
            if (ofOwner != null && ofOwner.remove(work)) {
                waitingCount--;
                if (ofOwner.isEmpty()) {
                    waiting.remove(work.owner());
                }
            }
        }
        starts.run();
    }

    /** Releases what was taken for a task that was started, once it has stopped. */
    public void giveBack(Admissible work) {
        release(work);
        starts.run();
    }

    /** The same, and admits others, but leaves it to {@link #wakeUp} to start them. */
    synchronized void release(Admissible work) {
        gate.giveBack(work.weight());
        for (Admissible next = admitNext(); next != null; next = admitNext()) {
            admitted.add(next);
        }
    }

    private void startAdmitted() {
        for (Admissible next = next(); next != null; next = next()) {
            next.start();
        }
    }

    private synchronized @Nullable Admissible next() {
        return admitted.isEmpty() ? admitNext() : admitted.remove();
    }

    private @Nullable Admissible admitNext() {
        if (waitingCount == 0) {
            return null;
        }
        Map.Entry<Object, Set<Admissible>> turn = waiting.entrySet().iterator().next();
        Iterator<Admissible> queue = turn.getValue().iterator();
        Admissible first = queue.next();
        if (!gate.tryTake(first.weight())) {
            return null;
        }
        queue.remove();
        waitingCount--;
        endTurn(turn.getKey(), turn.getValue());
        return first;
    }

    private void endTurn(Object owner, Set<Admissible> left) {
        waiting.remove(owner);
        if (!left.isEmpty()) {
            waiting.put(owner, left);
        }
    }
}
