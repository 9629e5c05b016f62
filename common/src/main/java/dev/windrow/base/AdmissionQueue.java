package dev.windrow.base;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.function.IntSupplier;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;

import io.smallrye.mutiny.Multi;
import io.smallrye.mutiny.Uni;
import io.smallrye.mutiny.infrastructure.Infrastructure;
import io.smallrye.mutiny.subscription.Cancellable;
import io.smallrye.mutiny.subscription.UniEmitter;
import io.smallrye.mutiny.subscription.UniSubscriber;
import io.smallrye.mutiny.subscription.UniSubscription;

/**
 * Starts asynchronous tasks as its {@link Gate} admits them, and bounds how many may wait. Owners take turns, and each owner's
 * tasks are first come, first served: a heavy task whose turn it is is never overtaken by lighter ones. Whatever a task took is
 * released exactly once, however the task ends; a task that is cancelled while it waits leaves the queue. When the end of a
 * task admits others, they start after its outcome has been delivered: starting them may take long, and must not delay the
 * outcome. Thread-safe.
 */
public final class AdmissionQueue {

    private final Gate gate;
    private final int maxWaiting;
    private final String what;
    private final Refusal refusal;
    /** Tasks that are admitted but not started yet. */
    private final Deque<Admissible> admitted = new ArrayDeque<>();
    /** Waiting tasks by owner, next owner first. Sets, so that a cancelled task is removed in constant time. */
    private final Map<Object, Set<Admissible>> waiting = new LinkedHashMap<>();
    private int waitingCount;
    private int runningCount;
    private final DrainLoop starts = new DrainLoop(this::startAdmitted);

    /** Creates the failure of a task that is not admitted. */
    public interface Refusal {

        /**
         * @param reason {@link Reason#OVERLOADED} if too many tasks wait already, {@link Reason#TIMED_OUT} if one waited
         *        too long
         * @param detail human-readable explanation
         */
        RuntimeException of(Reason reason, String detail);
    }

    /** A queue that refuses nothing: the number of waiting tasks must be bounded elsewhere. */
    public AdmissionQueue(Gate gate) {
        this(gate, Integer.MAX_VALUE, "tasks", (reason, detail) -> new IllegalStateException(detail));
    }

    /**
     * @param maxWaiting maximum number of waiting tasks, 0 for none; more are refused
     * @param what what is limited, a plural, for the detail of a refusal
     */
    public AdmissionQueue(Gate gate, int maxWaiting, String what, Refusal refusal) {
        this.gate = gate;
        this.maxWaiting = maxWaiting;
        this.what = what;
        this.refusal = refusal;
    }

    /**
     * A queue that runs up to this many tasks at a time, at least 1, and refuses nothing: the number of waiting tasks must be
     * bounded elsewhere.
     */
    public static AdmissionQueue ofPermits(int permits) {
        return new AdmissionQueue(new Permits(() -> permits));
    }

    /** A queue that runs up to this many tasks at a time, at least 1. */
    public static AdmissionQueue ofPermits(int permits, int maxWaiting, String what, Refusal refusal) {
        return ofPermits(() -> permits, maxWaiting, what, refusal);
    }

    /** The same with a variable limit; a raised limit takes effect when a task ends. */
    public static AdmissionQueue ofPermits(IntSupplier permits, int maxWaiting, String what, Refusal refusal) {
        return new AdmissionQueue(new Permits(permits), maxWaiting, what, refusal);
    }

    /** Runs a task of weight 1 once it is admitted. */
    public <T> Uni<T> run(Supplier<Uni<T>> work) {
        return run(1, work);
    }

    /**
     * Runs a task once it is admitted.
     *
     * @param weight the weight as the gate counts it; a weight that the gate never admits blocks all tasks behind it
     * @return the task's item or failure; cancelling it cancels the task, or its wait
     */
    public <T> Uni<T> run(long weight, Supplier<Uni<T>> work) {
        return Uni.createFrom().emitter(emitter -> {
            QueuedWork<T> queued = new QueuedWork<>(this, weight, work, emitter);
            emitter.onTermination(queued::cancel);
            submit(queued);
        });
    }

    /**
     * Runs a stream of weight 1 once it is admitted; it keeps its permit until it completes, fails or is cancelled.
     *
     * @param maxWait how long it waits for its permit before it fails with {@link Reason#TIMED_OUT}
     * @param timer ends the wait
     */
    public <T> Multi<T> stream(Supplier<Multi<T>> work, Duration maxWait, ScheduledExecutorService timer) {
        return Multi.createFrom().deferred(() -> {
            CompletableFuture<Boolean> begun = new CompletableFuture<>();
            CompletableFuture<Boolean> ended = new CompletableFuture<>();
            Cancellable permit = run(() -> {
                begun.complete(true);
                return Uni.createFrom().completionStage(ended);
            }).subscribe().with(done -> {
            }, begun::completeExceptionally);
            return Uni.createFrom().completionStage(begun)
                    .onFailure(CompletionException.class).transform(AdmissionQueue::cause)
                    .ifNoItem().after(TimerDelays.atLeastShortest(maxWait)).on(timer).failWith(() -> refusal.of(
                            Reason.TIMED_OUT, "this one of the " + what + " waited too long for its turn"))
                    .onItem().transformToMulti(turn -> Multi.createFrom().deferred(work::get))
                    .onTermination().invoke(() -> {
                        permit.cancel();
                        ended.complete(true);
                    });
        });
    }

    private static Throwable cause(Throwable failure) {
        return failure.getCause() == null ? failure : failure.getCause();
    }

    /** Starts a task once it is admitted, possibly immediately. */
    public void submit(Admissible work) {
        if (!enqueue(work)) {
            work.refused(refusal.of(Reason.OVERLOADED,
                    running() + " " + what + " are running and " + maxWaiting + " are waiting, the limit of this server"));
            return;
        }
        if (work.isAbandoned()) {
            withdraw(work);
        }
        starts.run();
    }

    /** Starts all tasks that the gate admits now. Call it when the gate may admit more for another reason, such as time. */
    public void wakeUp() {
        starts.run();
    }

    /** The number of tasks that have been admitted and have not ended. */
    public synchronized int running() {
        return runningCount;
    }

    /** The number of tasks that wait to be admitted. */
    public synchronized int waiting() {
        return waitingCount;
    }

    private synchronized boolean enqueue(Admissible work) {
        if (waitingCount == 0 && take(work)) {
            return admitted.add(work);
        }
        if (waitingCount == maxWaiting) {
            return false;
        }
        waitingCount++;
        return waiting.computeIfAbsent(work.owner(), owner -> new LinkedHashSet<>()).add(work);
    }

    /** Removes a cancelled task; those behind it may be lighter. An admitted one releases its permits when it is started. */
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

    private boolean take(Admissible work) {
        boolean taken = gate.tryTake(work.weight());
        runningCount += taken ? 1 : 0;
        return taken;
    }

    /** Releases what was taken for a task that was started, once it has stopped. */
    public void giveBack(Admissible work) {
        release(work);
        starts.run();
    }

    /** Like {@link #giveBack}, but leaves it to {@link #wakeUp} to start the tasks it admits. */
    synchronized void release(Admissible work) {
        gate.giveBack(work.weight());
        runningCount--;
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
        if (!take(first)) {
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

    /** Runs up to a number of tasks at a time. Called only by its queue, under the queue's lock. */
    private static final class Permits implements Gate {

        private final IntSupplier permits;
        private int taken;

        Permits(IntSupplier permits) {
            this.permits = permits;
        }

        @Override
        public boolean tryTake(long weight) {
            boolean free = taken < permits.getAsInt();
            taken += free ? 1 : 0;
            return free;
        }

        @Override
        public void giveBack(long weight) {
            taken--;
        }
    }

    /** One task, from entering the queue to its end. Releases what it took exactly once, after it has stopped. */
    static final class QueuedWork<T> implements Admissible, UniSubscriber<T> {

        private final AdmissionQueue queue;
        private final long weight;
        private final Supplier<Uni<T>> work;
        private final UniEmitter<? super T> emitter;
        private State state = State.QUEUED;
        private @Nullable UniSubscription subscription;

        private enum State {
            QUEUED,
            STARTING,
            RUNNING,
            /** Cancelled before it ran; whatever it took is released when it is started. */
            ABANDONED,
            ENDED
        }

        QueuedWork(AdmissionQueue queue, long weight, Supplier<Uni<T>> work, UniEmitter<? super T> emitter) {
            this.queue = queue;
            this.weight = weight;
            this.work = work;
            this.emitter = emitter;
        }

        @Override
        public long weight() {
            return weight;
        }

        @Override
        public synchronized boolean isAbandoned() {
            return state == State.ABANDONED;
        }

        /** Starts the task once it is admitted. Never throws: an exception is the task's own failure, not the queue's. */
        @Override
        public void start() {
            if (!begin()) {
                end();
                return;
            }
            try {
                work.get().subscribe().withSubscriber(this);
            } catch (Throwable thrown) {
                onFailure(thrown);
            }
        }

        @Override
        public void refused(RuntimeException refusal) {
            emitter.fail(refusal);
        }

        private synchronized boolean begin() {
            if (state != State.QUEUED) {
                return false;
            }
            state = State.STARTING;
            return true;
        }

        @Override
        public void onSubscribe(UniSubscription begun) {
            if (!run(begun)) {
                begun.cancel();
                end();
            }
        }

        /** @return false if it was cancelled in the meantime */
        private synchronized boolean run(UniSubscription begun) {
            subscription = begun;
            if (state == State.STARTING) {
                state = State.RUNNING;
            }
            return state != State.ABANDONED;
        }

        @Override
        public void onItem(T item) {
            deliver(() -> emitter.complete(item));
        }

        @Override
        public void onFailure(Throwable failure) {
            deliver(() -> emitter.fail(failure));
        }

        private void deliver(Runnable outcome) {
            release();
            try {
                outcome.run();
            } catch (Throwable thrown) {
                Infrastructure.handleDroppedException(thrown);
            } finally {
                queue.wakeUp();
            }
        }

        /** Cancels the task, or its wait; does nothing once the task has ended. */
        void cancel() {
            State was;
            UniSubscription running;
            synchronized (this) {
                was = state;
                running = subscription;
                if (was == State.QUEUED || was == State.STARTING) {
                    state = State.ABANDONED;
                }
            }
            if (was == State.QUEUED) {
                queue.withdraw(this);
            } else if (was == State.RUNNING && running != null) {
                try {
                    running.cancel();
                } finally {
                    end();
                }
            }
        }

        private void end() {
            release();
            queue.wakeUp();
        }

        private void release() {
            synchronized (this) {
                if (state == State.ENDED) {
                    return;
                }
                state = State.ENDED;
            }
            queue.release(this);
        }
    }
}
