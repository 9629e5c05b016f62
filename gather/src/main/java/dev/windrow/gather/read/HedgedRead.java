package dev.windrow.gather.read;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;

import dev.windrow.base.Admissible;
import dev.windrow.base.CircuitBreaker;
import dev.windrow.base.Reason;
import dev.windrow.base.SharedTimer;
import io.smallrye.mutiny.subscription.UniEmitter;
import io.smallrye.mutiny.subscription.UniSubscriber;
import io.smallrye.mutiny.subscription.UniSubscription;

/**
 * One read of a page. It waits for a permit and requests the page; if that is slower than most, it sends a hedge, and another
 * one if the hedge is slow too. The first page, or the failure of the first request, ends the read and cancels its other
 * requests. It has exactly one outcome, and returns its permit once none of its requests runs, except for a trial of the
 * circuit breaker. Thread-safe.
 */
final class HedgedRead implements Admissible {

    private static final int MAX_HEDGES = 2;

    private final ResilientShardReader reader;
    private final Object query;
    private final ShardReader.Read read;
    private final UniEmitter<? super ShardPage> emitter;
    private final Attempts first = new Attempts();
    private List<Attempts> hedges = List.of();
    private State state = State.WAITING;
    private volatile SharedTimer.@Nullable Timeout nextLook;

    private enum State {
        WAITING,
        RUNNING,
        ENDED
    }

    /** @param query identifies the query that it belongs to */
    HedgedRead(ResilientShardReader reader, Object query, ShardReader.Read read, UniEmitter<? super ShardPage> emitter) {
        this.reader = reader;
        this.query = query;
        this.read = read;
        this.emitter = emitter;
    }

    void submit() {
        emitter.onTermination(this::end);
        reader.permits().permits().submit(this);
    }

    @Override
    public long weight() {
        return 1;
    }

    @Override
    public Object owner() {
        return query;
    }

    @Override
    public synchronized boolean isAbandoned() {
        return state == State.ENDED;
    }

    @Override
    public void refused(RuntimeException refusal) {
        emitter.fail(refusal);
    }

    @Override
    public void start() {
        if (!run()) {
            reader.permits().permits().giveBack(this);
            return;
        }
        try {
            Optional<Duration> slow = reader.hedges().started();
            first.start();
            if (slow.isPresent()) {
                lookAfter(slow.get(), slow.get());
            }
        } catch (Throwable thrown) {
            // An error must not end the queue that started this.
            failed(first, thrown);
        }
    }

    private synchronized boolean run() {
        if (state != State.WAITING) {
            return false;
        }
        state = State.RUNNING;
        return true;
    }

    /**
     * Checks later whether to hedge, unless the read has ended.
     *
     * @param delay after which a request is slow
     */
    private void lookAfter(Duration wait, Duration delay) {
        if (!isAbandoned()) {
            nextLook = reader.timer().after(wait, () -> hedge(wait, delay));
        }
    }

    /**
     * Requests the page again if there is budget. If the budget is used up, it checks again later: by then, reads that were
     * only a little late have ended. The longer the read takes, the less often it is checked.
     */
    private void hedge(Duration waited, Duration delay) {
        if (isAbandoned()) {
            return;
        }
        if (!reader.hedges().take()) {
            lookAfter(waited.multipliedBy(2), delay);
            return;
        }
        reader.listener().hedged();
        Attempts hedge = new Attempts();
        int count = add(hedge);
        if (count > 0) {
            hedge.start();
        }
        if (count > 0 && count < MAX_HEDGES) {
            lookAfter(delay, delay);
        }
    }

    /** Returns the number of hedges; 0 if the read has ended. */
    private synchronized int add(Attempts hedge) {
        if (state == State.ENDED) {
            return 0;
        }
        hedges = Stream.concat(hedges.stream(), Stream.of(hedge)).toList();
        return hedges.size();
    }

    /**
     * Ends the read with a page. Cancels the other requests first, because the subscriber may take its time with the page.
     *
     * @param tookNanos duration of the request, retries included
     */
    void answered(ShardPage page, long tookNanos) {
        reader.hedges().answered(tookNanos);
        end();
        emitter.complete(page);
    }

    /** Ends the read if its first request failed for good; the failure of a hedge is ignored. */
    void failed(Attempts attempts, Throwable failure) {
        if (attempts == first) {
            end();
            emitter.fail(failure);
        }
    }

    private void end() {
        State was;
        synchronized (this) {
            was = state;
            state = State.ENDED;
        }
        if (was == State.WAITING) {
            reader.permits().permits().withdraw(this);
        } else if (was == State.RUNNING) {
            try {
                cancel();
            } finally {
                reader.permits().permits().giveBack(this);
            }
        }
    }

    private void cancel() {
        SharedTimer.Timeout look = nextLook;
        if (look != null) {
            look.cancel();
        }
        first.cancel();
        hedges.forEach(Attempts::cancel);
    }

    /**
     * One request: sequential attempts, as long as the circuit breaker permits them and a retry may help. It ends with a page
     * or a failure, unless it is cancelled first. Thread-safe.
     */
    private final class Attempts implements UniSubscriber<ShardPage> {

        private long startedAt;
        private long attemptedAt;
        private long permission;
        private int retries;
        private boolean running;
        private volatile boolean cancelled;
        private @Nullable UniSubscription request;
        private volatile SharedTimer.@Nullable Timeout pause;

        void start() {
            startedAt = reader.nanoTime().getAsLong();
            attempt();
        }

        private void attempt() {
            long permitted = reader.breaker().tryCall();
            if (permitted == CircuitBreaker.REJECTED) {
                failed(this, new GatherException(Reason.UNAVAILABLE,
                        "the circuit breaker is open, as many reads failed; trying again soon"));
                return;
            }
            if (!run(permitted)) {
                reader.breaker().givenUp(permitted);
                return;
            }
            try {
                reader.table().read(read).subscribe().withSubscriber(this);
            } catch (Throwable thrown) {
                // An error must not end the timer or the queue that started this.
                onFailure(thrown);
            }
        }

        private synchronized boolean run(long permitted) {
            if (cancelled) {
                return false;
            }
            attemptedAt = reader.nanoTime().getAsLong();
            permission = permitted;
            running = true;
            return true;
        }

        @Override
        public void onSubscribe(UniSubscription subscription) {
            boolean late;
            synchronized (this) {
                request = subscription;
                // A trial goes on for the other reads.
                late = cancelled && !running;
            }
            if (late) {
                subscription.cancel();
            }
        }

        @Override
        public void onItem(ShardPage page) {
            if (!stop()) {
                return;
            }
            long now = reader.nanoTime().getAsLong();
            reader.took(now - attemptedAt);
            reader.listener().read(read.dataset(), now - attemptedAt, page);
            reader.breaker().succeeded(permission);
            if (!cancelled) {
                answered(page, now - startedAt);
            }
        }

        @Override
        public void onFailure(Throwable failure) {
            if (!stop()) {
                return;
            }
            reader.took(reader.nanoTime().getAsLong() - attemptedAt);
            reader.listener().failed(failure);
            if (reader.retries().isOutage(failure)) {
                reader.breaker().failed(permission);
            } else {
                reader.breaker().succeeded(permission);
            }
            if (cancelled) {
                return;
            }
            if (reader.retries().isRetried(failure, retries)) {
                pause = reader.timer().after(reader.retries().pause(retries++), this::attempt);
            } else {
                failed(this, failure);
            }
        }

        /** Ends an attempt; returns false if it was cancelled. */
        private synchronized boolean stop() {
            boolean ran = running;
            running = false;
            request = null;
            return ran;
        }

        /**
         * Cancels the attempt in flight and all later ones. A trial of the circuit breaker goes on: all reads wait for its
         * outcome, and would wait forever if each trial were cancelled, as by queries that end with their first failed read.
         */
        void cancel() {
            boolean ran;
            UniSubscription sent;
            synchronized (this) {
                ran = running && !reader.breaker().isTrial(permission);
                sent = ran ? request : null;
                running = running && !ran;
                cancelled = true;
            }
            SharedTimer.Timeout next = pause;
            if (next != null) {
                next.cancel();
            }
            if (ran) {
                reader.breaker().givenUp(permission);
            }
            if (sent != null) {
                sent.cancel();
            }
        }
    }

}
