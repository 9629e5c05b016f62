package dev.windrow.gather.read;

import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;

import dev.windrow.base.AdmissionQueue.Admissible;
import dev.windrow.base.CircuitBreaker;
import dev.windrow.base.Reason;
import dev.windrow.base.SharedTimer;
import dev.windrow.dataset.Dataset;
import dev.windrow.gather.read.ReadProducer.ReadPermits;
import dev.windrow.gather.read.ShardReader.ShardPage;
import io.smallrye.mutiny.Uni;
import io.smallrye.mutiny.subscription.UniEmitter;
import io.smallrye.mutiny.subscription.UniSubscriber;
import io.smallrye.mutiny.subscription.UniSubscription;

/**
 * One read of a page: it waits for a permit and requests the page; while that is slower than most, it requests the page
 * again, and once more where the hedge is slow too. The first page ends it, or the failure of the first request; other
 * requests are cancelled then. It has exactly one outcome, and returns its permit once nothing of it runs but the trial of
 * the circuit breaker. Thread-safe.
 */
final class ShardRead implements Admissible {

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

    /** @param query which it is a part of, whatever that is */
    ShardRead(ResilientShardReader reader, Object query, ShardReader.Read read, UniEmitter<? super ShardPage> emitter) {
        this.reader = reader;
        this.query = query;
        this.read = read;
        this.emitter = emitter;
    }

    void submit() {
        emitter.onTermination(this::end);
        reader.permits.permits().submit(this);
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
            reader.permits.permits().giveBack(this);
            return;
        }
        try {
            Optional<Duration> slow = reader.hedges.started();
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
     * Looks later whether to hedge; not if the read has ended by then.
     *
     * @param delay after which a request is slow
     */
    private void lookAfter(Duration wait, Duration delay) {
        if (!isAbandoned()) {
            nextLook = reader.timer.after(wait, () -> hedge(wait, delay));
        }
    }

    /**
     * Requests the page again if there is budget. Where it is used up there is another look later: reads that are just a
     * little late have ended by then, and this one has not. The longer it takes, the less often it is looked at.
     */
    private void hedge(Duration waited, Duration delay) {
        if (isAbandoned()) {
            return;
        }
        if (!reader.hedges.take()) {
            lookAfter(waited.multipliedBy(2), delay);
            return;
        }
        reader.listener.hedged();
        Attempts hedge = new Attempts();
        int count = add(hedge);
        if (count > 0) {
            hedge.start();
        }
        if (count > 0 && count < MAX_HEDGES) {
            lookAfter(delay, delay);
        }
    }

    /** Returns how many hedges there are; 0 if the read has ended. */
    private synchronized int add(Attempts hedge) {
        if (state == State.ENDED) {
            return 0;
        }
        hedges = Stream.concat(hedges.stream(), Stream.of(hedge)).toList();
        return hedges.size();
    }

    /**
     * A request was answered. The others are cancelled first, as what follows an answer may take its time.
     *
     * @param tookNanos its retries included
     */
    void answered(ShardPage page, long tookNanos) {
        reader.hedges.answered(tookNanos);
        end();
        emitter.complete(page);
    }

    /** A request failed for good. A hedge that fails helps no one, and does no harm. */
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
            reader.permits.permits().withdraw(this);
        } else if (was == State.RUNNING) {
            try {
                cancel();
            } finally {
                reader.permits.permits().giveBack(this);
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
     * One request: attempts one after the other, as far as the circuit breaker lets them and a retry may help. It ends with a
     * page or a failure, unless it is cancelled before. Thread-safe.
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
            startedAt = reader.nanoTime.getAsLong();
            attempt();
        }

        private void attempt() {
            long permitted = reader.breaker.tryCall();
            if (permitted == CircuitBreaker.REJECTED) {
                failed(this, new GatherException(Reason.UNAVAILABLE,
                        "the circuit breaker is open, as many reads failed; trying again soon"));
                return;
            }
            if (!run(permitted)) {
                reader.breaker.givenUp(permitted);
                return;
            }
            try {
                reader.table.read(read).subscribe().withSubscriber(this);
            } catch (Throwable thrown) {
                // An error must not end the timer or the queue that started this.
                onFailure(thrown);
            }
        }

        private synchronized boolean run(long permitted) {
            if (cancelled) {
                return false;
            }
            attemptedAt = reader.nanoTime.getAsLong();
            permission = permitted;
            running = true;
            return true;
        }

        @Override
        public void onSubscribe(UniSubscription subscription) {
            boolean late;
            synchronized (this) {
                request = subscription;
                late = cancelled;
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
            long now = reader.nanoTime.getAsLong();
            reader.took(now - attemptedAt);
            reader.listener.read(read.dataset(), now - attemptedAt, page);
            reader.breaker.succeeded(permission);
            if (!cancelled) {
                answered(page, now - startedAt);
            }
        }

        @Override
        public void onFailure(Throwable failure) {
            if (!stop()) {
                return;
            }
            reader.took(reader.nanoTime.getAsLong() - attemptedAt);
            reader.listener.failed(failure);
            if (reader.retries.isOutage(failure)) {
                reader.breaker.failed(permission);
            } else {
                reader.breaker.succeeded(permission);
            }
            if (cancelled) {
                return;
            }
            if (reader.retries.isRetried(failure, retries)) {
                pause = reader.timer.after(reader.retries.pause(retries++), this::attempt);
            } else {
                failed(this, failure);
            }
        }

        /** Ends an attempt; false if it was cancelled. */
        private synchronized boolean stop() {
            boolean ran = running;
            running = false;
            request = null;
            return ran;
        }

        /**
         * Gives up the attempt under way, and those to come. The trial of a circuit breaker goes on: all reads wait for its
         * outcome, and would wait for good if each trial were given up, as where a query ends with its first failed read.
         */
        void cancel() {
            boolean ran;
            UniSubscription sent;
            synchronized (this) {
                ran = running && !reader.breaker.isTrial(permission);
                sent = ran ? request : null;
                running = running && !ran;
                cancelled = true;
            }
            SharedTimer.Timeout next = pause;
            if (next != null) {
                next.cancel();
            }
            if (ran) {
                reader.breaker.givenUp(permission);
            }
            if (sent != null) {
                sent.cancel();
            }
        }
    }

    /**
     * Reads shards with bounded concurrency, retries, a circuit breaker and hedges. Holds what all reads have in common; a
     * {@link ShardRead} is one of them. The shards share one circuit breaker: they are one table.
     *
     * @param table makes one attempt per read
     * @param permits of reads; hedges take none, as there are few
     * @param timer starts hedges and retries
     */
    record ResilientShardReader(ShardReader table, ReadPermits permits, RetryPolicy retries, CircuitBreaker breaker,
            Hedging hedges, SharedTimer timer, LongSupplier nanoTime, ReadListener listener) implements ShardReader {

        @Override
        public Uni<ShardPage> read(Read read) {
            return ofQuery().read(read);
        }

        @Override
        public ShardReader ofQuery() {
            Object query = new Object();
            return read -> Uni.createFrom().emitter(emitter -> new ShardRead(this, query, read, emitter).submit());
        }

        /** Notes how long an attempt took that was answered, or failed. */
        private void took(long nanos) {
            permits.limit().answered(nanos, permits.permits().running());
        }
    }

    /**
     * Which failures of reads are retried how often, and which are signs of an outage.
     *
     * @param firstPause before the first retry; the pauses after it double
     * @param random gives the generator that the calling thread may use
     */
    record RetryPolicy(int maxRetries, Duration firstPause, Duration maxPause, Supplier<RandomGenerator> random) {

        /** Doubling this often exceeds any maximum that is set. */
        private static final int MAX_DOUBLINGS = 30;
        private static final Set<Reason> TRANSIENT = EnumSet.of(Reason.THROTTLED, Reason.UNAVAILABLE, Reason.TIMED_OUT);
        /** A table that throttles is up, and pauses are the cure. */
        private static final Set<Reason> OUTAGE = EnumSet.of(Reason.UNAVAILABLE, Reason.TIMED_OUT);

        /** The pauses of all retries together are a small part of a query's usual deadline of 10 s. */
        static RetryPolicy usual() {
            return new RetryPolicy(3, Duration.ofMillis(25), Duration.ofMillis(500), ThreadLocalRandom::current);
        }

        /** Whether there is another attempt. */
        boolean isRetried(Throwable failure, int retries) {
            return retries < maxRetries && failure instanceof GatherException known && TRANSIENT.contains(known.reason());
        }

        boolean isOutage(Throwable failure) {
            return failure instanceof GatherException known && OUTAGE.contains(known.reason());
        }

        /**
         * The pause before a retry. It varies by half of the first, so that retries spread out.
         *
         * @param retry its number, from 0
         */
        Duration pause(int retry) {
            long most = maxPause.toMillis();
            long doubled = Math.min(most, firstPause.toMillis() << Math.min(retry, MAX_DOUBLINGS));
            long jitter = firstPause.toMillis() / 2;
            long drawn = random.get().nextLong(-jitter, jitter + 1);
            return Duration.ofMillis(Math.max(0, Math.min(most, doubled + drawn)));
        }
    }

    /** Is notified of requests to the table. */
    interface ReadListener {

        /**
         * A page was read.
         *
         * @param tookNanos from its request to the page, this attempt alone
         */
        void read(Dataset dataset, long tookNanos, ShardPage page);

        /** An attempt failed. */
        void failed(Throwable failure);

        /** A slow shard is read once more. */
        void hedged();
    }
}
