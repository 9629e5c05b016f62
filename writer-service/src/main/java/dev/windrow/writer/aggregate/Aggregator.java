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

    /** Where fewer come in a step's time, writes by step cost more than writes by age: five or six, by their formula. */
    private static final int MANY_SHARES = 6;

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
            boolean first = pending.shares.isEmpty();
            pending.add(share, nowNanos);
            pendingEvents += share.events();
            if (first) {
                pending.dueNanos = nowNanos + limits.ageNanos();
                pending.urgentNanos = pending.dueNanos;
                if (!pending.writing) {
                    waiting.add(pending);
                }
            }
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
            take(pending, all, nowNanos, due);
        }
        return due;
    }

    private void take(Pending pending, boolean all, long nowNanos, List<SeriesBatch> due) {
        String series = pending.shares.get(0).partitionKey();
        List<Share> shares = new ArrayList<>(pending.shares.size());
        for (Share share : cut(pending, all, nowNanos)) {
            pendingEvents -= share.events();
            if (!share.message().isAbandoned()) {
                shares.add(share);
            }
        }
        if (!shares.isEmpty()) {
            pending.writing = true;
            writing++;
            due.add(new SeriesBatch(shares));
        } else if (pending.shares.isEmpty()) {
            bySeries.remove(series);
        } else {
            waiting.add(pending);
        }
    }

    /** What of a series is written now; the rest goes on gathering. */
    private List<Share> cut(Pending pending, boolean all, long nowNanos) {
        long latestDueNanos = pending.latestNanos + limits.ageNanos();
        boolean old = pending.dueNanos - nowNanos <= 0 && latestDueNanos - nowNanos > 0;
        if (old && !all && pending.latestHadBetterWait()) {
            pending.dueNanos = latestDueNanos;
            List<Share> taken = pending.takeAllButLatest();
            pending.urgentNanos = pending.shares.size() < limits.seriesShares() ? latestDueNanos : nowNanos;
            return taken;
        }
        return pending.takeAll();
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

    /** The shares of one series that are not being written, in the order they came. */
    private static final class Pending {

        private final long sequence;
        private List<Share> shares = new ArrayList<>();
        /** When its oldest share is old enough. */
        private long dueNanos;
        /** Likewise, or when it had grown large, if that was before. */
        private long urgentNanos;
        private boolean writing;
        /** The latest step of its shares. */
        private long latestStep;
        private int latestShares;
        /** When the first share of that step came. */
        private long latestNanos;

        Pending(long sequence) {
            this.sequence = sequence;
        }

        void add(Share share, long nowNanos) {
            long step = share.step();
            if (shares.isEmpty() || step > latestStep) {
                latestStep = step;
                latestShares = 0;
                latestNanos = nowNanos;
            }
            if (step == latestStep) {
                latestShares++;
            }
            shares.add(share);
        }

        /**
         * Whether the shares of the latest step had better wait for those that will follow. Each write that touches a step
         * costs a write for it, and each write without it one of the other buckets. So it depends on how many shares come
         * in a step's time: where they are many, that pays, as from then on each write begins with a step.
         */
        boolean latestHadBetterWait() {
            return shares.size() >= MANY_SHARES && latestShares < shares.size() && shares.get(0).plan().hasSteps()
                    && shares.stream().allMatch(Share::isUnordered);
        }

        List<Share> takeAllButLatest() {
            List<Share> taken = new ArrayList<>(shares.size() - latestShares);
            List<Share> rest = new ArrayList<>(latestShares);
            for (Share share : shares) {
                (share.step() == latestStep ? rest : taken).add(share);
            }
            shares = rest;
            return taken;
        }

        List<Share> takeAll() {
            List<Share> taken = shares;
            shares = new ArrayList<>();
            return taken;
        }
    }
}
