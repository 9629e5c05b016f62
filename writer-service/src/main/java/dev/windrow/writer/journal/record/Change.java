package dev.windrow.writer.journal.record;

import java.util.ArrayList;
import java.util.List;

import dev.windrow.measure.Decimals;
import dev.windrow.measure.MeasureKind;
import dev.windrow.measure.MeasureValue;

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
        return kind == other.kind && measure.equals(other.measure);
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
        List<Change> merged = new ArrayList<>(some);
        for (int i = 0; i < more.size(); i++) {
            merge(merged, more.get(i), i);
        }
        return merged;
    }

    /** @param guess where its like usually is: changes of one dataset come in one order */
    private static void merge(List<Change> changes, Change change, int guess) {
        if (guess < changes.size() && changes.get(guess).isLike(change)) {
            changes.set(guess, changes.get(guess).with(change));
            return;
        }
        for (int i = 0; i < changes.size(); i++) {
            if (changes.get(i).isLike(change)) {
                changes.set(i, changes.get(i).with(change));
                return;
            }
        }
        changes.add(change);
    }
}
