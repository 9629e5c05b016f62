package dev.windrow.writer.record;

import java.util.ArrayList;
import java.util.List;

import org.jspecify.annotations.Nullable;

import dev.windrow.base.Decimals;
import dev.windrow.dataset.MeasureKind;
import dev.windrow.dataset.MeasureValue;

public record Change(String measure, MeasureKind kind, MeasureValue value) {

    /**
     * Maximum digits of whole numbers whose sum surely fits: most have fewer, and measuring decimals costs more than
     * adding.
     */
    private static final int SURELY = Decimals.DIGITS - 1;

    /**
     * The measure's name if it is an extreme, which is applied on its own and may be applied twice. Null for a sum: all
     * sums of an item are applied together, once.
     */
    public @Nullable String extreme() {
        return kind.isAdditive() ? null : measure;
    }

    Measured measured() {
        return new Measured(measure, kind);
    }

    /** Whether the other change is of the same measure, so that both may become one. */
    boolean isLike(Change other) {
        // Counts and sums are one attribute, whatever the declaration says now.
        boolean same = kind == other.kind || (kind.isAdditive() && other.kind.isAdditive());
        return same && measure.equals(other.measure);
    }

    public Change with(Change other) {
        return new Change(measure, kind, kind.combine(value, other.value));
    }

    /** Whether the combined value is a number that DynamoDB can hold. */
    boolean fitsWith(Change other) {
        if (!kind.isAdditive() || (isSurelySmall() && other.isSurelySmall())) {
            return true;
        }
        return Decimals.fits(kind.combine(value, other.value).value());
    }

    private boolean isSurelySmall() {
        return value.value().scale() == 0 && value.value().precision() <= SURELY;
    }

    /** Merges two lists of changes; the result has at most one per measure. */
    public static List<Change> merged(List<Change> some, List<Change> more) {
        WholeSums sums = some instanceof WholeSums whole ? whole.plus(more) : null;
        if (sums != null) {
            return sums;
        }
        List<Change> merged = new ArrayList<>(some);
        for (int i = 0; i < more.size(); i++) {
            int at = positionOf(merged, more.get(i), i);
            if (at < 0) {
                merged.add(more.get(i));
            } else {
                merged.set(at, merged.get(at).with(more.get(i)));
            }
        }
        return merged;
    }

    /** Whether the merged sums of both lists are numbers that DynamoDB can hold. */
    public static boolean fit(List<Change> some, List<Change> more) {
        if (some instanceof WholeSums && more instanceof WholeSums) {
            // The sum of two longs has at most 20 digits.
            return true;
        }
        for (int i = 0; i < more.size(); i++) {
            int at = positionOf(some, more.get(i), i);
            if (at >= 0 && !some.get(at).fitsWith(more.get(i))) {
                return false;
            }
        }
        return true;
    }

    /**
     * Returns the index of a change of the same measure.
     *
     * @param guess where it usually is: changes of one dataset have the same order
     * @return -1 if it has none
     */
    private static int positionOf(List<Change> changes, Change change, int guess) {
        if (guess < changes.size() && changes.get(guess).isLike(change)) {
            return guess;
        }
        for (int i = 0; i < changes.size(); i++) {
            if (changes.get(i).isLike(change)) {
                return i;
            }
        }
        return -1;
    }
}
