package dev.windrow.writer.journal.record;

import java.util.ArrayList;
import java.util.List;

import dev.windrow.dataset.Decimals;
import dev.windrow.dataset.MeasureKind;
import dev.windrow.dataset.MeasureValue;

/**
 * What is added to one measure of a bucket.
 *
 * @param measure its name
 * @param kind how it is combined with what the bucket has
 * @param value what to combine
 */
public record Change(String measure, MeasureKind kind, MeasureValue value) {

    /** Digits of whole numbers whose sum is certain to fit: most are, and measuring decimals costs more than adding them. */
    private static final int SURELY = Decimals.DIGITS - 1;

    /** Whether the other change is of the same measure, so that both may become one. */
    public boolean isLike(Change other) {
        // Counts and sums are one attribute, whatever the declaration says now.
        boolean same = kind == other.kind || (kind.isAdditive() && other.kind.isAdditive());
        return same && measure.equals(other.measure);
    }

    /** Both in one. */
    public Change with(Change other) {
        return new Change(measure, kind, kind.combine(value, other.value));
    }

    /** Whether both in one are a number that DynamoDB holds. */
    public boolean fitsWith(Change other) {
        if (!kind.isAdditive() || (isSurelySmall() && other.isSurelySmall())) {
            return true;
        }
        return Decimals.fits(kind.combine(value, other.value).value());
    }

    private boolean isSurelySmall() {
        return value.value().scale() == 0 && value.value().precision() <= SURELY;
    }

    /** Changes in one list, at most one of each measure. */
    public static List<Change> merged(List<Change> some, List<Change> more) {
        WholeSums sums = some instanceof WholeSums whole ? whole.plus(more) : null;
        if (sums != null) {
            return sums;
        }
        List<Change> merged = new ArrayList<>(some);
        mergeAll(merged, more);
        return merged;
    }

    /** Whether the sums of both lists are numbers that DynamoDB holds. */
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

    /** Adds changes to a list that has at most one of each measure. */
    private static void mergeAll(List<Change> changes, List<Change> more) {
        for (int i = 0; i < more.size(); i++) {
            int at = positionOf(changes, more.get(i), i);
            if (at < 0) {
                changes.add(more.get(i));
            } else {
                changes.set(at, changes.get(at).with(more.get(i)));
            }
        }
    }

    /**
     * Where a list has a change of the same measure.
     *
     * @param guess where it usually is: changes of one dataset come in one order
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
