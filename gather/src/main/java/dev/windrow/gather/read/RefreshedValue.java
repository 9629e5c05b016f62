package dev.windrow.gather.read;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

import io.smallrye.mutiny.Uni;
import io.smallrye.mutiny.subscription.Cancellable;

/**
 * A value that is cached for a while before it is read again. One read is in flight at a time, and all callers meanwhile
 * share its outcome; a caller that cancels does not cancel it for the others. A failure is not cached: the next caller
 * reads again.
 * <p>
 * Does not use Mutiny's {@code memoize()}: if a subscription races with the outcome, the subscriber may get the item before
 * the subscription (seen with Mutiny 3.1), and {@code chain} behind it fails. Thread-safe.
 */
public final class RefreshedValue<T> {

    private final LongSupplier nanoTime;
    private final long refreshNanos;
    private final Supplier<Uni<T>> read;
    private volatile T latest;
    private CompletableFuture<T> outcome;
    private long begunNanos;

    /**
     * @param initial the value before the first read
     * @param refresh how long a value is used, counted from the start of its read
     */
    public RefreshedValue(T initial, LongSupplier nanoTime, Duration refresh, Supplier<Uni<T>> read) {
        this.latest = initial;
        this.nanoTime = nanoTime;
        this.refreshNanos = refresh.toNanos();
        this.read = read;
        this.outcome = CompletableFuture.completedFuture(initial);
        this.begunNanos = nanoTime.getAsLong() - refreshNanos;
    }

    /** Returns the value, read again if it is too old. */
    public Uni<T> current() {
        // Returns copies, because cancelling the Uni cancels its future.
        return Uni.createFrom().completionStage(() -> {
            CompletableFuture<T> begun = new CompletableFuture<>();
            synchronized (this) {
                long now = nanoTime.getAsLong();
                boolean fresh = !outcome.isCompletedExceptionally() && now - begunNanos < refreshNanos;
                if (!outcome.isDone() || fresh) {
                    return outcome.copy();
                }
                outcome = begun;
                begunNanos = now;
            }
            Cancellable unused = Uni.createFrom().deferred(read::get).onItem().invoke(value -> latest = value)
                    .subscribe().with(begun::complete, begun::completeExceptionally);
            return begun.copy();
        });
    }

    public T latest() {
        return latest;
    }
}
