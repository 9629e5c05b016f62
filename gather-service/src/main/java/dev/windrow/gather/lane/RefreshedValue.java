package dev.windrow.gather.lane;

import java.time.Duration;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;

import dev.windrow.base.SharedOutcome;
import io.smallrye.mutiny.Uni;

/**
 * A value that is used for a while before it is read again. One read is under way at a time, and all callers that come
 * meanwhile share its outcome. A failure is not kept: the next caller reads again. Thread-safe.
 */
public final class RefreshedValue<T> {

    private final LongSupplier nanoTime;
    private final long refreshNanos;
    private final Supplier<Uni<T>> read;
    private T latest;
    private long latestNanos;
    private @Nullable SharedOutcome<T> underWay;

    /**
     * @param initial before the first read
     * @param nanoTime a monotonic clock
     * @param refresh how long a value is used, from the moment before its read
     * @param read how to read it
     */
    public RefreshedValue(T initial, LongSupplier nanoTime, Duration refresh, Supplier<Uni<T>> read) {
        this.latest = initial;
        this.nanoTime = nanoTime;
        this.refreshNanos = refresh.toNanos();
        this.read = read;
        this.latestNanos = nanoTime.getAsLong() - refreshNanos;
    }

    /** The value, read again if it is too old. */
    public Uni<T> current() {
        return Uni.createFrom().deferred(() -> {
            long now = nanoTime.getAsLong();
            SharedOutcome<T> begun = new SharedOutcome<>();
            synchronized (this) {
                if (underWay != null) {
                    return underWay.uni();
                }
                if (now - latestNanos < refreshNanos) {
                    return Uni.createFrom().item(latest);
                }
                underWay = begun;
            }
            begun.start(Uni.createFrom().deferred(read::get).onItem().invoke(value -> keep(value, now)).onFailure()
                    .invoke(this::end));
            return begun.uni();
        });
    }

    /** The value that was read last. */
    public synchronized T latest() {
        return latest;
    }

    private synchronized void keep(T value, long readNanos) {
        latest = value;
        latestNanos = readNanos;
        underWay = null;
    }

    private synchronized void end() {
        underWay = null;
    }
}
