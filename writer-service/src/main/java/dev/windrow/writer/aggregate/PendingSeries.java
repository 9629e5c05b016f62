package dev.windrow.writer.aggregate;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** The shares of one series that are not being written, in the order they came. Not thread-safe: see {@link Aggregator}. */
final class PendingSeries {

    static final Comparator<PendingSeries> MAX_URGENT_FIRST = Comparator
            .<PendingSeries> comparingLong(series -> series.urgentNanos).thenComparingLong(series -> series.sequence);

    /** What it takes on the heap, with its places in maps, without series and shares. */
    private static final long HEAP_BYTES = 320;

    private final long sequence;
    private final long heapBytes;
    private final long ageNanos;
    private final int large;
    private final long fewestInStep;
    private List<Contribution> shares = new ArrayList<>();
    /** How many of them must be written in the order they came. */
    private int ordered;
    /** When its oldest share is old enough. */
    private long dueNanos;
    /** Likewise, or when it had grown large, if that was before. */
    private long urgentNanos;
    private long latestStep;
    private int latestShares;
    /** When the first share of the latest step came. */
    private long latestNanos;
    private boolean writing;

    PendingSeries(long sequence, AggregationPlan plan, long seriesBytes, AggregateLimits limits) {
        this.sequence = sequence;
        this.heapBytes = HEAP_BYTES + seriesBytes;
        this.ageNanos = limits.ageNanos();
        this.large = plan.largeSeries(limits.seriesShares());
        this.fewestInStep = plan.fewestInStep(limits.ageNanos());
    }

    /** About what it takes on the heap, in bytes, with its series, without shares. */
    long heapBytes() {
        return heapBytes;
    }

    boolean isEmpty() {
        return shares.isEmpty();
    }

    boolean isWriting() {
        return writing;
    }

    void setWriting(boolean writing) {
        this.writing = writing;
    }

    /** Whether it should be written, for its size or for its age. */
    boolean isDue(long nowNanos) {
        return urgentNanos - nowNanos <= 0;
    }

    /** Adds a share. @return whether that makes it more urgent */
    boolean add(Contribution share, long nowNanos) {
        boolean first = shares.isEmpty();
        if (first) {
            dueNanos = nowNanos + ageNanos;
            urgentNanos = dueNanos;
        }
        long step = share.step();
        if (first || step > latestStep) {
            latestStep = step;
            latestShares = 0;
            latestNanos = nowNanos;
        }
        latestShares += step == latestStep ? 1 : 0;
        ordered += share.isOrdered() ? 1 : 0;
        shares.add(share);
        return shares.size() == large && dueNanos - nowNanos > 0;
    }

    /** It has grown large. */
    void flushNow(long nowNanos) {
        urgentNanos = nowNanos;
    }

    /**
     * Takes what is written now; the rest goes on gathering.
     *
     * @param all whether nothing may wait
     */
    List<Contribution> take(long nowNanos, boolean all) {
        if (all) {
            return takeAll();
        }
        if (dueNanos - nowNanos <= 0) {
            return latestHadBetterWait(nowNanos) ? takeAllButLatest() : takeAll();
        }
        // Taken for its size: what exceeds that would be a small write of its own.
        return takeFirst(shares.size() - shares.size() % large);
    }

    /** Each write that touches a step costs a write for it, so shares of a step that has just begun wait for the others. */
    private boolean latestHadBetterWait(long nowNanos) {
        return shares.size() >= fewestInStep && latestShares < Math.min(shares.size(), large) && ordered == 0
                && latestNanos + ageNanos - nowNanos > 0;
    }

    private List<Contribution> takeAll() {
        return takeFirst(shares.size());
    }

    private List<Contribution> takeFirst(int count) {
        return split(shares.subList(0, count), shares.subList(count, shares.size()));
    }

    private List<Contribution> takeAllButLatest() {
        List<Contribution> taken = new ArrayList<>(shares.size() - latestShares);
        List<Contribution> rest = new ArrayList<>(latestShares);
        for (Contribution share : shares) {
            (share.step() == latestStep ? rest : taken).add(share);
        }
        dueNanos = latestNanos + ageNanos;
        return split(taken, rest);
    }

    private List<Contribution> split(List<Contribution> taken, List<Contribution> rest) {
        shares = new ArrayList<>(rest);
        latestShares = (int) rest.stream().filter(share -> share.step() == latestStep).count();
        ordered = (int) rest.stream().filter(Contribution::isOrdered).count();
        urgentNanos = dueNanos;
        return taken;
    }
}
