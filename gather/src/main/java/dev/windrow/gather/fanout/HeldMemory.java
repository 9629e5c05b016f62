package dev.windrow.gather.fanout;

import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;

import dev.windrow.base.Reason;
import dev.windrow.gather.read.GatherException;
import io.smallrye.mutiny.Uni;

/**
 * Bounds the memory that queries and live streams hold until they can be answered: sums by label, samples and watched buckets.
 * Each has its own limit, but together they must fit into the heap as well. Sizes are estimates. Thread-safe.
 */
public final class HeldMemory {

    /** The unit of accounting, in bytes, so that most additions do not touch the shared counter. */
    static final long STEP = 1 << 16;

    private final long max;
    private final AtomicLong taken = new AtomicLong();

    /** @param max maximum of all shares together, in bytes */
    public HeldMemory(long max) {
        this.max = max;
    }

    /** Runs a task with a share, which is released however the task ends. */
    public <T> Uni<T> during(Function<Share, Uni<T>> task) {
        return Uni.createFrom().deferred(() -> {
            Share share = share();
            return Uni.createFrom().deferred(() -> task.apply(share)).onTermination().invoke(share::release);
        });
    }

    /** Returns a new share, which the caller must release. */
    public Share share() {
        return new Share();
    }

    /** The memory that all shares hold now, in bytes. */
    public long held() {
        return taken.get();
    }

    /**
     * Replaces what a share holds with what it needs if that fits, otherwise with what it keeps; returns whether it fit. This
     * is atomic, so that no share is refused because of memory that a refused one is about to release.
     */
    private boolean exchange(long held, long needed, long kept) {
        while (true) {
            long before = taken.get();
            boolean fits = before - held + needed <= max;
            if (taken.compareAndSet(before, before - held + (fits ? needed : kept))) {
                return fits;
            }
        }
    }

    /** The memory of one query or stream. Thread-safe. */
    public final class Share {

        private long used;
        private long granted;
        private boolean released;

        /**
         * Adds to what is held. A query that does not fit fails and releases everything at once, so that others can finish with
         * the room it leaves. If a part of the query still goes on, all that the query used must fit again.
         *
         * @throws GatherException with {@link Reason#OVERLOADED} if all shares together would hold too much
         */
        public synchronized void add(long bytes) {
            hold(used + bytes, 0);
        }

        /**
         * Sets what is held from now on; ignored after the release, when all that is left is garbage.
         *
         * @throws GatherException with {@link Reason#OVERLOADED} if all shares together would hold too much; this share then
         *         keeps what it held before
         */
        public synchronized void set(long bytes) {
            hold(bytes, granted);
        }

        public synchronized void release() {
            set(0);
            released = true;
        }

        /** @param otherwise what to hold if that does not fit, in bytes */
        private void hold(long bytes, long otherwise) {
            if (released) {
                return;
            }
            long needed = (bytes + STEP - 1) / STEP * STEP;
            if (needed != granted && !exchange(granted, needed, otherwise)) {
                granted = otherwise;
                throw new GatherException(Reason.OVERLOADED, "queries and live streams hold all the memory that they may: "
                        + max / 1_000_000 + " MB");
            }
            granted = needed;
            used = bytes;
        }
    }

}
