package dev.windrow.gather.live;

import java.time.Instant;
import java.util.List;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;

import org.jspecify.annotations.Nullable;

import dev.windrow.base.Reason;
import dev.windrow.gather.fanout.GatherReport;
import dev.windrow.gather.fanout.HeldMemory;
import dev.windrow.gather.fanout.HeldSize;
import dev.windrow.gather.plan.Bucket;
import dev.windrow.gather.read.GatherException;
import dev.windrow.table.Utf8Order;
import io.smallrye.mutiny.Uni;
import io.smallrye.mutiny.subscription.UniEmitter;

/**
 * One watcher. Changes are pending here until they are taken. If a bucket changes again meanwhile, only its latest state is
 * kept, so a slow watcher delays nobody and needs no more memory than the watched buckets. The last update taken is
 * accounted for until the next is taken, because it may still be on its way to the client. Thread-safe.
 */
public final class LiveSubscriber {

    private final int maxPending;
    private final HeldMemory.Share held;
    private final NavigableMap<String, Bucket> pending = new TreeMap<>(Utf8Order.ASCENDING);
    /** The estimated size of the pending changes, and of the last update taken, in bytes. */
    private long waitingBytes;
    private long takenBytes;
    private @Nullable Instant from;
    private @Nullable GatherReport incomplete;
    private @Nullable Throwable failure;
    private boolean ended;
    private @Nullable UniEmitter<? super Void> waiting;

    /**
     * @param maxPending maximum number of pending buckets; the watcher fails beyond it
     * @param held the memory held by pending changes
     */
    LiveSubscriber(int maxPending, HeldMemory.Share held) {
        this.maxPending = maxPending;
        this.held = held;
    }

    /** Completes once there is news to {@link #take()}; one subscriber at a time. */
    public Uni<Void> ready() {
        return Uni.createFrom().emitter(emitter -> {
            emitter.onTermination(() -> forget(emitter));
            synchronized (this) {
                waiting = emitter;
            }
            flush();
        });
    }

    /** Takes everything that is pending; may be nothing. */
    public synchronized LiveUpdate take() {
        LiveUpdate news = new LiveUpdate(Optional.ofNullable(from), List.copyOf(pending.values()),
                Optional.ofNullable(incomplete), Optional.ofNullable(failure), ended);
        pending.clear();
        incomplete = null;
        failure = null;
        takenBytes = waitingBytes;
        waitingBytes = 0;
        held.set(takenBytes);
        return news;
    }

    private synchronized void forget(UniEmitter<? super Void> emitter) {
        if (waiting == emitter) {
            waiting = null;
        }
    }

    /** Adds the outcome of a poll to the pending changes; call {@link #flush()} next. */
    synchronized void add(Instant watchedFrom, List<Bucket> changed, @Nullable GatherReport report) {
        // The reason for the end must still reach a slow reader.
        if (ended) {
            return;
        }
        from = watchedFrom;
        incomplete = report == null || report.isComplete() ? null : report;
        failure = null;
        changed.forEach(this::put);
        try {
            held.set(takenBytes + waitingBytes);
        } catch (GatherException overloaded) {
            end(overloaded);
            return;
        }
        if (pending.size() > maxPending) {
            end(new GatherException(Reason.OVERLOADED,
                    "more than " + maxPending + " changes are waiting for a slow client"));
        }
    }

    private void put(Bucket bucket) {
        if (pending.put(bucket.position(), bucket) == null) {
            waitingBytes += HeldSize.of(bucket.label().values(), bucket.values());
        }
    }

    /** Adds a failed poll to the pending changes; call {@link #flush()} next. */
    synchronized void fail(Throwable lookFailure, boolean last) {
        if (ended) {
            return;
        }
        failure = lookFailure;
        ended = last;
    }

    /** Ends the watcher after its pending changes, and completes {@link #ready()}. */
    void end() {
        synchronized (this) {
            ended = true;
        }
        flush();
    }

    private void end(Throwable reason) {
        pending.clear();
        waitingBytes = 0;
        failure = reason;
        ended = true;
    }

    void release() {
        held.release();
    }

    /** Completes {@link #ready()} if something is pending, or nothing more will come. */
    void flush() {
        UniEmitter<? super Void> emitter;
        synchronized (this) {
            boolean nothing = !ended && pending.isEmpty() && incomplete == null && failure == null;
            emitter = nothing ? null : waiting;
            waiting = nothing ? waiting : null;
        }
        if (emitter != null) {
            emitter.complete(null);
        }
    }

}
