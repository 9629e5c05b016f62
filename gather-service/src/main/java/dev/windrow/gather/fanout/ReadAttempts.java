package dev.windrow.gather.fanout;

import org.jspecify.annotations.Nullable;

import dev.windrow.base.CircuitBreaker;
import dev.windrow.base.Reason;
import dev.windrow.base.SharedTimer;
import io.smallrye.mutiny.subscription.UniSubscriber;
import io.smallrye.mutiny.subscription.UniSubscription;

/**
 * One request of a {@link ShardRead}: attempts one after the other, as far as the circuit breaker lets them and a retry may
 * help. Reports a page or a failure to its read, unless it is cancelled before. Thread-safe.
 */
final class ReadAttempts implements UniSubscriber<ShardPage> {

    private final ShardRead owner;
    private final ResilientShardReader reader;
    private final ShardReader.Read read;
    private long startedAt;
    private long attemptedAt;
    private long permission;
    private int retries;
    private boolean running;
    private boolean cancelled;
    private @Nullable UniSubscription request;
    private SharedTimer.@Nullable Timeout pause;

    ReadAttempts(ShardRead owner, ResilientShardReader reader, ShardReader.Read read) {
        this.owner = owner;
        this.reader = reader;
        this.read = read;
    }

    void start() {
        startedAt = reader.nanoTime();
        attempt();
    }

    private void attempt() {
        long permitted = reader.breaker().tryCall();
        if (permitted == CircuitBreaker.REJECTED) {
            owner.failed(this, new GatherException(Reason.UNAVAILABLE,
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
        attemptedAt = reader.nanoTime();
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
        long now = reader.nanoTime();
        reader.took(now - attemptedAt);
        reader.listener().read(read.dataset(), now - attemptedAt, page);
        reader.breaker().succeeded(permission);
        if (!isCancelled()) {
            owner.answered(page, now - startedAt);
        }
    }

    @Override
    public void onFailure(Throwable failure) {
        if (!stop()) {
            return;
        }
        reader.took(reader.nanoTime() - attemptedAt);
        reader.listener().failed(failure);
        if (reader.retries().isOutage(failure)) {
            reader.breaker().failed(permission);
        } else {
            reader.breaker().succeeded(permission);
        }
        if (isCancelled()) {
            return;
        }
        if (reader.retries().isRetried(failure, retries)) {
            attemptLater();
        } else {
            owner.failed(this, failure);
        }
    }

    private synchronized boolean isCancelled() {
        return cancelled;
    }

    /** Ends an attempt; false if it was cancelled. */
    private synchronized boolean stop() {
        boolean ran = running;
        running = false;
        request = null;
        return ran;
    }

    private void attemptLater() {
        SharedTimer.Timeout next = reader.timer().after(reader.retries().backoff().pause(retries++), this::attempt);
        boolean late;
        synchronized (this) {
            pause = next;
            late = cancelled;
        }
        if (late) {
            next.cancel();
        }
    }

    /**
     * Gives up the attempt under way, and those to come. The trial of a circuit breaker goes on: all reads wait for its
     * outcome, and would wait for good if each trial were given up, as where a query ends with its first failed read.
     */
    void cancel() {
        boolean ran;
        UniSubscription sent;
        SharedTimer.Timeout next;
        synchronized (this) {
            ran = running && !reader.breaker().isTrial(permission);
            sent = ran ? request : null;
            next = pause;
            running = running && !ran;
            cancelled = true;
        }
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
