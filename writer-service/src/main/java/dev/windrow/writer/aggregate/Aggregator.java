package dev.windrow.writer.aggregate;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;

/**
 * Gathers shares by series until they are due, and lets no series be written twice at a time: while it is being written,
 * its new shares go on coalescing, and two writes of this process never contend for an item. How much it holds is bounded
 * by the in-flight limiter of the source. Thread-safe.
 */
public final class Aggregator {

    private final AggregateLimits limits;
    private final Map<String, PendingSeries> bySeries = new HashMap<>();
    /** Series with shares that are not being written. */
    private final TreeSet<PendingSeries> waiting = new TreeSet<>(PendingSeries.MAX_URGENT_FIRST);
    private long sequence;
    private long pendingEvents;
    private long heapBytes;
    private int writing;
    private boolean hurried;

    public Aggregator(AggregateLimits limits) {
        this.limits = limits;
    }

    /** Adds shares, in the order they came. */
    public synchronized void add(List<Contribution> shares, long nowNanos) {
        for (Contribution share : shares) {
            PendingSeries pending = bySeries.get(share.partitionKey());
            if (pending == null) {
                pending = new PendingSeries(sequence++, share.plan(), share.seriesBytes(), limits);
                bySeries.put(share.partitionKey(), pending);
                heapBytes += pending.heapBytes();
            }
            boolean first = pending.isEmpty();
            boolean large = pending.add(share, nowNanos);
            pendingEvents += share.events();
            if (large) {
                // Taken out first, as its place depends on its urgency.
                waiting.remove(pending);
                pending.flushNow(nowNanos);
            }
            if ((first || large) && !pending.isWriting()) {
                waiting.add(pending);
            }
        }
    }

    /**
     * Takes series that are due: old enough, large enough, or any while much is pending; no more than may be written at
     * a time. Of a series that is due some may be left, where that makes fewer writes.
     *
     * @param pressed whether the source cannot receive more, so that waiting gains nothing
     */
    public synchronized List<SeriesBatch> takeDue(long nowNanos, boolean pressed) {
        List<SeriesBatch> due = new ArrayList<>();
        boolean all = hurried || pressed || pendingEvents >= limits.events();
        while (writing < limits.concurrentSeries() && !waiting.isEmpty()) {
            PendingSeries pending = waiting.first();
            if (!all && !pending.isDue(nowNanos)) {
                break;
            }
            waiting.remove(pending);
            begin(pending, pending.take(nowNanos, all), due);
        }
        return due;
    }

    private void begin(PendingSeries pending, List<Contribution> taken, List<SeriesBatch> due) {
        List<Contribution> shares = new ArrayList<>(taken.size());
        for (Contribution share : taken) {
            pendingEvents -= share.events();
            if (!share.message().isAbandoned()) {
                shares.add(share);
            }
        }
        if (!shares.isEmpty()) {
            pending.setWriting(true);
            writing++;
            due.add(new SeriesBatch(shares));
        } else if (pending.isEmpty()) {
            forget(taken.get(0).partitionKey(), pending);
        } else {
            waiting.add(pending);
        }
    }

    /** Ends the write of a series; what was left or came meanwhile is due when its own age says so. */
    public synchronized void done(SeriesBatch batch) {
        PendingSeries pending = bySeries.get(batch.partitionKey());
        if (pending == null || !pending.isWriting()) {
            throw new IllegalStateException("not being written: " + batch.partitionKey());
        }
        pending.setWriting(false);
        writing--;
        if (pending.isEmpty()) {
            forget(batch.partitionKey(), pending);
        } else {
            waiting.add(pending);
        }
    }

    private void forget(String partitionKey, PendingSeries pending) {
        bySeries.remove(partitionKey);
        heapBytes -= pending.heapBytes();
    }

    /** About what the series take on the heap, in bytes; their shares are counted with their messages. */
    public synchronized long heapBytes() {
        return heapBytes;
    }

    /** From now on everything is due at once. */
    public synchronized void flushNow() {
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
}
