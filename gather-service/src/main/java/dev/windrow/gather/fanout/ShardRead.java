package dev.windrow.gather.fanout;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;

import dev.windrow.base.AdmissionQueue.Admissible;
import dev.windrow.base.SharedTimer;
import io.smallrye.mutiny.subscription.UniEmitter;

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
    private final ReadAttempts first;
    private List<ReadAttempts> hedges = List.of();
    private State state = State.WAITING;
    private SharedTimer.@Nullable Timeout nextLook;

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
        this.first = new ReadAttempts(this, reader, read);
    }

    void submit() {
        emitter.onTermination(this::end);
        reader.permits().submit(this);
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
            reader.permits().giveBack(this);
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
     * Looks later whether to hedge.
     *
     * @param delay after which a request is slow
     */
    private void lookAfter(Duration wait, Duration delay) {
        if (hasEnded()) {
            return;
        }
        SharedTimer.Timeout look = reader.timer().after(wait, () -> hedge(wait, delay));
        boolean late;
        synchronized (this) {
            nextLook = look;
            late = state == State.ENDED;
        }
        if (late) {
            look.cancel();
        }
    }

    /**
     * Requests the page again if there is budget. Where it is used up there is another look later: reads that are just a
     * little late have ended by then, and this one has not. The longer it takes, the less often it is looked at.
     */
    private void hedge(Duration waited, Duration delay) {
        if (hasEnded()) {
            return;
        }
        if (!reader.hedges().take()) {
            lookAfter(waited.multipliedBy(2), delay);
            return;
        }
        reader.listener().hedged();
        ReadAttempts hedge = new ReadAttempts(this, reader, read);
        int count = add(hedge);
        if (count > 0) {
            hedge.start();
        }
        if (count > 0 && count < MAX_HEDGES) {
            lookAfter(delay, delay);
        }
    }

    /** Returns how many hedges there are; 0 if the read has ended. */
    private synchronized int add(ReadAttempts hedge) {
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
        reader.hedges().answered(tookNanos);
        end();
        emitter.complete(page);
    }

    /** A request failed for good. A hedge that fails helps no one, and does no harm. */
    void failed(ReadAttempts attempts, Throwable failure) {
        if (attempts == first) {
            end();
            emitter.fail(failure);
        }
    }

    private synchronized boolean hasEnded() {
        return state == State.ENDED;
    }

    private void end() {
        State was;
        SharedTimer.Timeout look;
        synchronized (this) {
            was = state;
            look = nextLook;
            state = State.ENDED;
        }
        if (was == State.WAITING) {
            reader.permits().withdraw(this);
        } else if (was == State.RUNNING) {
            try {
                cancel(look);
            } finally {
                reader.permits().giveBack(this);
            }
        }
    }

    private void cancel(SharedTimer.@Nullable Timeout look) {
        if (look != null) {
            look.cancel();
        }
        first.cancel();
        hedges.forEach(ReadAttempts::cancel);
    }
}
