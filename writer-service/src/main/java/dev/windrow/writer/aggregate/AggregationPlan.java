package dev.windrow.writer.aggregate;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

import dev.windrow.dataset.Dataset;
import dev.windrow.dataset.Dedupe;
import dev.windrow.dataset.DeliveryGuarantee;
import dev.windrow.measure.Measure;
import dev.windrow.measure.MeasureKind;
import dev.windrow.time.Granularity;

/**
 * How a dataset is aggregated. Events are gathered in base buckets, the coarsest that all granularities can be summed up
 * from, so that the work per event does not grow with the number of granularities.
 */
public final class AggregationPlan {

    /** Maximum number of buckets that one share may touch, so that it fits into a transaction together with its ledger slot. */
    static final int MAX_SHARE_BUCKETS = 90;

    /** A bucket's totals, and its place among others. */
    private static final long BUCKET_BYTES = 96;
    /** A measure's value with its number; a sum is mostly less. */
    private static final long VALUE_BYTES = 112;

    private static final long SECOND_NANOS = 1_000_000_000;

    private final Dataset dataset;
    private final Granularity base;
    private final List<Measure> measures;
    private final boolean additive;
    private final boolean extreme;
    private final boolean noted;
    private final SeriesCache knownSeries;
    private final long bucketBytes;

    /** @param datasets how many share the memory for series that are known */
    public AggregationPlan(Dataset dataset, int datasets) {
        this.dataset = dataset;
        this.base = base(dataset.granularities());
        this.measures = dataset.measures();
        this.additive = measures.stream().anyMatch(measure -> measure.kind().isAdditive());
        this.extreme = measures.stream().anyMatch(measure -> !measure.kind().isAdditive());
        this.noted = additive && dataset.delivery() == DeliveryGuarantee.EXACTLY_ONCE;
        this.knownSeries = new SeriesCache(dataset, datasets);
        this.bucketBytes = BUCKET_BYTES
                + VALUE_BYTES * measures.stream().filter(measure -> measure.kind() != MeasureKind.COUNT).count();
    }

    public Dataset dataset() {
        return dataset;
    }

    /** In declared order; totals hold their values in the same order. */
    public List<Measure> measures() {
        return measures;
    }

    /** Whether any measure adds up, so that applying a contribution twice would show. */
    public boolean isAdditive() {
        return additive;
    }

    /** Whether any measure does not add up. */
    public boolean hasExtremes() {
        return extreme;
    }

    /**
     * From how many shares in an age on it pays that writes of a series fall into {@linkplain Contribution#step() step}. Free
     * ones
     * come once in the age and the time to the next share, and mostly touch one step more than the age has. With B buckets
     * of which I are indexed and N steps in an age, writes in step cost 2 (B + N) + I units each age, and free ones 2 more,
     * for a share more: so it pays from B + N + I / 2 shares on.
     *
     * @return more than there ever are if it never pays, as an age is no whole number of steps, or nothing recurs
     */
    long fewestInStep(long ageNanos) {
        boolean steps = noted || base.equals(Granularity.SECOND);
        long inSeconds = ageNanos * (noted && dataset.dedupe() == Dedupe.MESSAGE ? dataset.ledgerSlots() : 1);
        if (!steps || inSeconds % SECOND_NANOS != 0) {
            return Long.MAX_VALUE;
        }
        return dataset.granularities().size() + inSeconds / SECOND_NANOS + (dataset.index().size() + 1) / 2;
    }

    /** How many shares make a series large: so many for each of its ledger slots in a second. */
    int largeSeries(int sharesOfASlot) {
        return noted ? sharesOfASlot * dataset.ledgerSlots() : sharesOfASlot;
    }

    /** Whether the ledger notes what is applied. */
    boolean isNoted() {
        return noted;
    }

    SeriesCache knownSeries() {
        return knownSeries;
    }

    Granularity base() {
        return base;
    }

    /** About what one base bucket of a share takes on the heap. */
    long bucketBytes() {
        return bucketBytes;
    }

    /** Maximum number of base buckets of one share. */
    int maxBaseBuckets() {
        return Math.max(1, MAX_SHARE_BUCKETS / dataset.granularities().size());
    }

    private static Granularity base(List<Granularity> granularities) {
        List<Granularity> candidates = new ArrayList<>(granularities);
        candidates.addAll(List.of(Granularity.DAY, Granularity.HOUR, Granularity.MINUTE, Granularity.SECOND));
        candidates.sort(Collections.reverseOrder());
        for (Granularity candidate : candidates) {
            if (granularities.stream().allMatch(candidate::nestsIn)) {
                return candidate;
            }
        }
        throw new IllegalStateException("seconds nest in every granularity");
    }
}
