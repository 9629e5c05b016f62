package dev.windrow.gather.read;

import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;

import dev.windrow.base.Reason;
import dev.windrow.gather.plan.MeasureValues;
import io.smallrye.mutiny.Uni;

/**
 * The memory that queries and live streams hold until they can be answered: sums by label, samples and watched buckets. Each
 * has a limit of its own, but many at once must fit into the heap as well. Sizes are estimates. Thread-safe.
 */
public final class HeldMemory {

    /** What is taken at a time, in bytes, so that most additions touch nothing that is shared. */
    static final long STEP = 1 << 16;

    private final long max;
    private final AtomicLong taken = new AtomicLong();

    /** @param max of all shares together, in bytes */
    public HeldMemory(long max) {
        this.max = max;
    }

    /** Runs a task with a share, which is released when the task ends in any way. */
    public <T> Uni<T> during(Function<Share, Uni<T>> task) {
        return Uni.createFrom().deferred(() -> {
            Share share = share();
            return Uni.createFrom().deferred(() -> task.apply(share)).onTermination().invoke(share::release);
        });
    }

    /** A new share, which must be released in the end. */
    public Share share() {
        return new Share();
    }

    /** What all shares hold now, in bytes. */
    public long held() {
        return taken.get();
    }

    /**
     * Exchanges what a share holds for what it needs if there is room for that, or else for what it keeps without. It is one
     * step: nobody is refused for what a refused share is about to give back.
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

    /** What one query or stream holds. Thread-safe. */
    public final class Share {

        private long used;
        private long granted;
        private boolean released;

        /**
         * Holds so much more. A query that does not fit fails, and gives way at once: it holds nothing, so that others finish
         * with the room that it leaves. Where a part of it still goes on, that must fit again with all that the query used.
         *
         * @throws GatherException with {@link Reason#OVERLOADED} if all shares together would hold too much
         */
        public synchronized void add(long bytes) {
            hold(used + bytes, 0);
        }

        /**
         * Holds so much from now on; nothing once it has been released, as what is left is garbage then.
         *
         * @throws GatherException with {@link Reason#OVERLOADED} if all shares together would hold too much; then it holds what
         *         it held before
         */
        public synchronized void set(long bytes) {
            hold(bytes, granted);
        }

        public synchronized void release() {
            set(0);
            released = true;
        }

        /** @param otherwise what it holds where that does not fit, in bytes */
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

    /**
     * Estimates of what is held of an answer, in bytes. They are a little high, as lists that are picked from it have parts of
     * their own: 3 measures of a label of 28 characters were measured at 450 bytes.
     */
    public static final class HeldSize {

        /** Entries of maps, lists and keys. */
        private static final long FIXED = 250;
        /** A character may take two bytes, and a bucket has its label in its position as well. */
        private static final long PER_CHARACTER = 4;
        private static final long PER_MEASURE = 80;
        private static final long PER_SAMPLE = 200;

        /** Measures of a label, or of one of its buckets. */
        public static long of(List<String> label, MeasureValues values) {
            return ofLabel(label) + PER_MEASURE * values.values().size();
        }

        public static long ofLabel(List<String> label) {
            long characters = 0;
            for (String value : label) {
                characters += value.length();
            }
            return FIXED + PER_CHARACTER * characters;
        }

        /** Samples of a series, besides its label. */
        public static long ofSamples(long samples) {
            return PER_SAMPLE * samples;
        }
    }
}
