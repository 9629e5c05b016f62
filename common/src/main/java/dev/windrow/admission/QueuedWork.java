package dev.windrow.admission;

import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;

import io.smallrye.mutiny.Uni;
import io.smallrye.mutiny.infrastructure.Infrastructure;
import io.smallrye.mutiny.subscription.UniEmitter;
import io.smallrye.mutiny.subscription.UniSubscriber;
import io.smallrye.mutiny.subscription.UniSubscription;

/** One task from its place in the queue to its end. Releases what it took exactly once, after it has stopped. */
final class QueuedWork<T> implements Admissible, UniSubscriber<T> {

    private final AdmissionQueue queue;
    private final long weight;
    private final Supplier<Uni<T>> work;
    private final UniEmitter<? super T> emitter;
    private final boolean deliversFirst;
    private State state = State.QUEUED;
    private @Nullable UniSubscription subscription;

    private enum State {
        QUEUED,
        STARTING,
        RUNNING,
        /** Cancelled before it ran; whoever starts it releases what it took. */
        ABANDONED,
        ENDED
    }

    /** @param deliversFirst whether tasks that its end admits are started after its outcome has been delivered */
    QueuedWork(AdmissionQueue queue, long weight, Supplier<Uni<T>> work, UniEmitter<? super T> emitter,
            boolean deliversFirst) {
        this.queue = queue;
        this.weight = weight;
        this.work = work;
        this.emitter = emitter;
        this.deliversFirst = deliversFirst;
    }

    @Override
    public long weight() {
        return weight;
    }

    @Override
    public synchronized boolean isAbandoned() {
        return state == State.ABANDONED;
    }

    /** Starts the task once it is admitted. Never throws: what a task throws is its own failure, not the queue's. */
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

    /** @return false if it was cancelled meanwhile */
    private synchronized boolean run(UniSubscription begun) {
        subscription = begun;
        if (state == State.STARTING) {
            state = State.RUNNING;
        }
        return state != State.ABANDONED;
    }

    @Override
    public void onItem(T item) {
        release();
        try {
            emitter.complete(item);
        } catch (Throwable thrown) {
            Infrastructure.handleDroppedException(thrown);
        } finally {
            startOthersAfterDelivery();
        }
    }

    @Override
    public void onFailure(Throwable failure) {
        release();
        try {
            emitter.fail(failure);
        } catch (Throwable thrown) {
            Infrastructure.handleDroppedException(thrown);
        } finally {
            startOthersAfterDelivery();
        }
    }

    private void startOthersAfterDelivery() {
        if (deliversFirst) {
            queue.wakeUp();
        }
    }

    /** Cancels the task, or its wait; does nothing once it has ended. */
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
        startOthersAfterDelivery();
    }

    private void release() {
        synchronized (this) {
            if (state == State.ENDED) {
                return;
            }
            state = State.ENDED;
        }
        if (deliversFirst) {
            queue.release(this);
        } else {
            queue.giveBack(this);
        }
    }
}
