package dev.windrow.writer.aggregate;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;

/**
 * Gathers shares by series until they are due, and lets no series be written twice at a time: while it is being written,
 * its new shares go on coalescing, and two writes of this process never contend for an item. How much it holds is bounded
 * by the room of the source, which admits messages only so far. Thread-safe.
 */
public final class Aggregator {

    private static final Comparator<Pending> MOST_URGENT_FIRST = Comparator.<Pending> comparingLong(p -> p.urgentNanos)
            .thenComparingLong(p -> p.sequence);

    private final AggregateLimits limits;
    private final Map<String, Pending> bySeries = new HashMap<>();
    /** Series with shares that are not being written. */
    private final TreeSet<Pending> waiting = new TreeSet<>(MOST_URGENT_FIRST);
    private long sequence;
    private long pendingEvents;
    private int writing;
    private boolean hurried;

    public Aggregator(AggregateLimits limits) {
        this.limits = limits;
    }

    /** Adds shares, in the order they came. */
    public synchronized void add(List<Share> shares, long nowNanos) {
        for (Share share : shares) {
            Pending pending = bySeries.computeIfAbsent(share.partitionKey(), key -> new Pending(sequence++));
            if (pending.shares.isEmpty()) {
                pending.dueNanos = nowNanos + limits.ageNanos();
                pending.urgentNanos = pending.dueNanos;
                if (!pending.writing) {
                    waiting.add(pending);
                }
            }
            pending.shares.add(share);
            pendingEvents += share.events();
            if (pending.shares.size() == limits.seriesShares()) {
                boolean waits = waiting.remove(pending);
                pending.urgentNanos = Math.min(nowNanos, pending.dueNanos);
                if (waits) {
                    waiting.add(pending);
                }
            }
        }
    }

    /**
     * Takes series that are due: old enough, large enough, or any while much is pending; no more than may be written at
     * a time.
     *
     * @param pressed whether the source has no more room, so that waiting for more gains nothing
     */
    public synchronized List<SeriesBatch> takeDue(long nowNanos, boolean pressed) {
        List<SeriesBatch> due = new ArrayList<>();
        boolean all = hurried || pressed || pendingEvents >= limits.events();
        while (writing < limits.concurrentSeries() && !waiting.isEmpty()) {
            Pending pending = waiting.first();
            if (!all && pending.urgentNanos - nowNanos > 0) {
                break;
            }
            waiting.remove(pending);
            take(pending, all || pending.dueNanos - nowNanos <= 0, due);
        }
        return due;
    }

    /** A series that is taken for its size leaves behind what would be a small write of its own. */
    private void take(Pending pending, boolean whole, List<SeriesBatch> due) {
        int size = pending.shares.size();
        List<Share> taken = whole ? pending.shares : pending.shares.subList(0, size - size % limits.seriesShares());
        List<Share> rest = new ArrayList<>(pending.shares.subList(taken.size(), size));
        List<Share> shares = new ArrayList<>(taken.size());
        for (Share share : taken) {
            pendingEvents -= share.events();
            if (!share.message().isAbandoned()) {
                shares.add(share);
            }
        }
        String series = pending.shares.get(0).partitionKey();
        pending.shares = rest;
        pending.urgentNanos = pending.dueNanos;
        if (!shares.isEmpty()) {
            pending.writing = true;
            writing++;
            due.add(new SeriesBatch(shares));
        } else if (rest.isEmpty()) {
            bySeries.remove(series);
        } else {
            waiting.add(pending);
        }
    }

    /** Ends the write of a series; what came meanwhile is due when its own age says so. */
    public synchronized void done(SeriesBatch batch) {
        Pending pending = bySeries.get(batch.partitionKey());
        if (pending == null || !pending.writing) {
            throw new IllegalStateException("not being written: " + batch.partitionKey());
        }
        pending.writing = false;
        writing--;
        if (pending.shares.isEmpty()) {
            bySeries.remove(batch.partitionKey());
        } else {
            waiting.add(pending);
        }
    }

    /** From now on everything is due at once. */
    public synchronized void hurry() {
        hurried = true;
    }

    /** How many events wait to be written; those being written are not among them. */
    public synchronized long pendingEvents() {
        return pendingEvents;
    }

    /** How many series are being written. */
    public synchronized int writing() {
        return writing;
    }

    /** Whether nothing is pending and nothing is being written. */
    public synchronized boolean isEmpty() {
        return bySeries.isEmpty();
    }

    private static final class Pending {

        private final long sequence;
        private List<Share> shares = new ArrayList<>();
        /** When its oldest share is old enough. */
        private long dueNanos;
        /** Likewise, or when it had grown large, if that was before. */
        private long urgentNanos;
        private boolean writing;

        Pending(long sequence) {
            this.sequence = sequence;
        }
    }
}
