package dev.windrow.writer.aggregate;

import java.math.BigDecimal;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;

import org.jspecify.annotations.Nullable;

import dev.windrow.dataset.Measure;
import dev.windrow.dataset.MeasureKind;
import dev.windrow.dataset.MeasureValue;
import dev.windrow.event.Event;
import dev.windrow.writer.record.WholeSums;

/** Running totals of the measures of one bucket. Not thread-safe; confined to one message. */
public final class Totals {

    /** Whole numbers of up to this many digits fit in a long, and so does the sum of two. */
    private static final int WHOLE_DIGITS = 18;

    private static final long[] NO_WHOLES = {};
    private static final MeasureValue[] NO_VALUES = {};

    private final long start;
    /** The value of measures that count every event. */
    private long count;
    /** The part of each sum from whole numbers: most values are, and adding decimals costs more than all else here. */
    private long[] wholes = NO_WHOLES;
    /** Bit set of the sums that have a whole part; measures beyond the 64th have none. */
    private long hasWhole;
    /** All other values; null for a measure without one so far. */
    private @Nullable MeasureValue[] values = NO_VALUES;

    /** @param start start of the bucket, in seconds since the epoch */
    Totals(long start) {
        this.start = start;
    }

    /** Returns the totals of a bucket from a list ordered by time; adds them if there are none yet. */
    static Totals at(List<Totals> all, long start) {
        int last = all.size() - 1;
        if (last >= 0 && all.get(last).start == start) {
            return all.get(last);
        }
        Totals added = new Totals(start);
        int at = Collections.binarySearch(all, added, Comparator.comparingLong(Totals::start));
        if (at >= 0) {
            return all.get(at);
        }
        all.add(-at - 1, added);
        return added;
    }

    long start() {
        return start;
    }

    /**
     * Counts an event. If it lacks a measure's attribute or does not meet its condition, it adds nothing to that measure. A
     * retraction is subtracted from counts; its effect on other measures depends on their {@linkplain MeasureKind#takes kind}.
     */
    void add(List<Measure> measures, Event event) {
        count += event.count();
        for (int i = 0; i < measures.size(); i++) {
            Measure measure = measures.get(i);
            MeasureKind kind = measure.kind();
            if (!kind.readsAttribute()) {
                if (!measure.countsAll() && measure.counts(event) && !addWhole(measures, i, event.count())) {
                    combine(measures, i, MeasureValue.of(BigDecimal.valueOf(event.count())));
                }
                continue;
            }
            BigDecimal value = measure.broughtBy(event);
            if (value != null) {
                boolean small = kind.isAdditive() && value.scale() == 0 && value.precision() <= WHOLE_DIGITS;
                if (!small || !addWhole(measures, i, value.longValue())) {
                    combine(measures, i, kind.valueOf(value, event.time()));
                }
            }
        }
    }

    void add(List<Measure> measures, Totals other) {
        count += other.count;
        for (int i = 0; i < other.wholes.length; i++) {
            if (other.hasWhole(i) && !addWhole(measures, i, other.wholes[i])) {
                combine(measures, i, MeasureValue.of(BigDecimal.valueOf(other.wholes[i])));
            }
        }
        for (int i = 0; i < other.values.length; i++) {
            MeasureValue value = other.values[i];
            if (value != null) {
                combine(measures, i, value);
            }
        }
    }

    /** Adds to a sum. If a long cannot hold it, adds nothing and returns false. */
    private boolean addWhole(List<Measure> measures, int measure, long value) {
        if (wholes.length == 0) {
            wholes = new long[measures.size()];
        }
        long sum = wholes[measure] + value;
        boolean overflows = ((wholes[measure] ^ sum) & (value ^ sum)) < 0;
        if (overflows || measure >= Long.SIZE) {
            return false;
        }
        wholes[measure] = sum;
        hasWhole |= 1L << measure;
        return true;
    }

    private boolean hasWhole(int measure) {
        return measure < Long.SIZE && (hasWhole & 1L << measure) != 0;
    }

    private void combine(List<Measure> measures, int measure, MeasureValue value) {
        if (values.length == 0) {
            values = new MeasureValue[measures.size()];
        }
        MeasureValue before = values[measure];
        values[measure] = before == null ? value : measures.get(measure).kind().combine(before, value);
    }

    /**
     * Returns all values in the usual case: all measures are counts and sums, and the values from events are whole numbers that
     * fit in a long.
     *
     * @return null in other cases
     */
    @Nullable
    WholeSums wholeSums(AggregationPlan plan) {
        if (values.length > 0 || plan.summed().isEmpty()) {
            return null;
        }
        List<Measure> measures = plan.measures();
        long[] sums = wholes.length == 0 ? new long[measures.size()] : wholes.clone();
        long present = hasWhole;
        for (int i = 0; i < sums.length; i++) {
            if (measures.get(i).countsAll()) {
                sums[i] = count;
                present |= 1L << i;
            }
        }
        return new WholeSums(plan.summed(), sums, present);
    }

    /** Returns the value of the measure at an index in the dataset; null if no event had a number for it. */
    public @Nullable MeasureValue value(List<Measure> measures, int measure) {
        if (measures.get(measure).countsAll()) {
            return MeasureValue.of(BigDecimal.valueOf(count));
        }
        MeasureValue value = values.length == 0 ? null : values[measure];
        if (!hasWhole(measure)) {
            return value;
        }
        MeasureValue whole = MeasureValue.of(BigDecimal.valueOf(wholes[measure]));
        return value == null ? whole : measures.get(measure).kind().combine(whole, value);
    }
}
