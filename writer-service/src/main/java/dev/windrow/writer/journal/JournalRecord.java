package dev.windrow.writer.journal;

import java.math.BigDecimal;
import java.util.AbstractList;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.RandomAccess;

import org.jspecify.annotations.Nullable;

import dev.windrow.dataset.Decimals;
import dev.windrow.dataset.MeasureKind;
import dev.windrow.dataset.MeasureValue;

/**
 * The additions of one claim; or, if it has spans, additions of earlier records that buckets still lack. It never changes once
 * it is written, and holds all that is needed to apply it.
 *
 * @param claimedMillis when it was made, in milliseconds since the epoch by the writer's clock
 * @param additions of a claim: at most one per bucket. Of a deferral: the parts of each cell in order, one addition each
 * @param spans of a claim: none. Of a deferral: the records that each addition is from
 */
public record JournalRecord(long claimedMillis, List<Addition> additions, List<Span> spans) {

    /** The records that an addition is from: first and last position, and when the first was claimed. */
    public record Span(long first, long last, long claimedMillis) {
    }

    /** Creates the record of a claim. */
    public JournalRecord(long claimedMillis, List<Addition> additions) {
        this(claimedMillis, additions, List.of());
    }

    /** Whether its additions are from earlier records, and buckets have not taken them so far. */
    public boolean isDeferred() {
        return !spans.isEmpty();
    }

    /**
     * The changes of one bucket.
     *
     * @param granularity the name of the bucket's granularity, which decides when it is written
     * @param changes at least one, at most one of each measure
     */
    public record Addition(BucketItem item, String granularity, List<Change> changes) {

        /** The addition and its list. */
        private static final long HEAP_BYTES = 80;
        /** A change with its number. */
        private static final long CHANGE_BYTES = 150;

        public Addition {
            if (changes.isEmpty()) {
                throw new IllegalArgumentException("an addition needs at least one change");
            }
        }

        Addition with(Addition other) {
            return new Addition(item, granularity, Change.merged(changes, other.changes));
        }

        /** Estimated heap size without the item, which other additions may share, in bytes. */
        public long heapBytes() {
            return HEAP_BYTES + (changes instanceof WholeSums sums ? sums.heapBytes() : CHANGE_BYTES * changes.size());
        }
    }

    /**
     * A bucket's item, resolved: applying an addition to it needs no declaration of its dataset, which may have changed since.
     * Two are equal if they are the same item of the table; index keys do not count.
     *
     * @param index its index keys; null if it is not indexed
     */
    public record BucketItem(String partitionKey, String sortKey, @Nullable IndexKey index) implements Comparable<BucketItem> {

        /** Both records, and their strings without characters. */
        private static final long HEAP_BYTES = 260;

        /** Estimated heap size, in bytes. Items of one series share its key, which may take two bytes a character. */
        public long heapBytes() {
            return HEAP_BYTES + partitionKey.length() + 2L * sortKey.length()
                    + (index == null ? 0L : index.partitionKey().length() + 2L * index.sortKey().length());
        }

        @Override
        public boolean equals(Object other) {
            return this == other || (other instanceof BucketItem item && sortKey.equals(item.sortKey)
                    && partitionKey.equals(item.partitionKey));
        }

        @Override
        public int hashCode() {
            // Multiplied, as keys that differ in a few digits only would crowd in a map, which folds the upper half in itself.
            return (31 * partitionKey.hashCode() + sortKey.hashCode()) * 0x9E3779B9;
        }

        /** For maps, in which keys may have equal hashes; see {@link dev.windrow.table.Label}. */
        @Override
        public int compareTo(BucketItem other) {
            int order = partitionKey.compareTo(other.partitionKey);
            return order != 0 ? order : sortKey.compareTo(other.sortKey);
        }
    }

    /** The index keys that a bucket item gets when it is created; an item that exists keeps its own. */
    public record IndexKey(String partitionKey, String sortKey) {
    }

    public record Measured(String name, MeasureKind kind) {
    }

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

    /**
     * Counts and sums of whole numbers, at most one per measure. Most additions are of this kind: merging them creates no
     * object per measure, and they take a fraction of the memory of other changes. Unmodifiable.
     */
    public static final class WholeSums extends AbstractList<Change> implements RandomAccess {

        /** One bit of a long per measure. */
        public static final int MAX_MEASURES = Long.SIZE;
        /** The object and its array. */
        private static final long HEAP_BYTES = 56;

        private final List<Measured> measures;
        private final long[] sums;
        private final long present;

        /**
         * @param measures counts and sums, one or more, each with a different name; all additions of a dataset share the list
         * @param sums in the same order, and not modified any more; zero where a measure has none
         * @param present bit set of the measures that have one
         */
        public WholeSums(List<Measured> measures, long[] sums, long present) {
            this.measures = measures;
            this.sums = sums;
            this.present = present;
        }

        /** Returns the merged sums; null if one overflows a long, or if the others are not of the same list of measures. */
        public @Nullable WholeSums plus(List<Change> others) {
            if (!(others instanceof WholeSums more) || more.measures != measures) {
                return null;
            }
            long[] all = new long[sums.length];
            for (int i = 0; i < all.length; i++) {
                all[i] = sums[i] + more.sums[i];
                if (((sums[i] ^ all[i]) & (more.sums[i] ^ all[i])) < 0) {
                    return null;
                }
            }
            return new WholeSums(measures, all, present | more.present);
        }

        /** Estimated heap size without the shared list of measures, in bytes. */
        long heapBytes() {
            return HEAP_BYTES + (long) Long.BYTES * sums.length;
        }

        @Override
        public Change get(int index) {
            int place = Long.numberOfTrailingZeros(without(present, Objects.checkIndex(index, size())));
            Measured measure = measures.get(place);
            return new Change(measure.name(), measure.kind(), MeasureValue.of(BigDecimal.valueOf(sums[place])));
        }

        /** Returns the bits without the lowest {@code first} that are set. */
        private static long without(long bits, int first) {
            long left = bits;
            for (int i = 0; i < first; i++) {
                left &= left - 1;
            }
            return left;
        }

        @Override
        public int size() {
            return Long.bitCount(present);
        }
    }

    /** The additions of one claim's units, summed by bucket. Not thread-safe. */
    static final class RecordDraft {

        private static final int CHANGE_BYTES = 24;

        private final Map<BucketItem, Addition> sums = new LinkedHashMap<>();
        private long bytes;

        /** Approximate size of its record before compression, in bytes. */
        long bytes() {
            return bytes;
        }

        /** Whether all sums with this unit are numbers that DynamoDB can hold. */
        boolean fitsWith(ClaimUnit unit) {
            for (Addition addition : unit.additions()) {
                Addition sum = sums.get(addition.item());
                if (sum != null && !Change.fit(sum.changes(), addition.changes())) {
                    return false;
                }
            }
            return true;
        }

        void add(ClaimUnit unit) {
            for (Addition addition : unit.additions()) {
                int before = sums.size();
                sums.merge(addition.item(), addition, Addition::with);
                bytes += sums.size() > before ? bytes(addition) : 0;
            }
        }

        private static long bytes(Addition addition) {
            BucketItem item = addition.item();
            IndexKey index = item.index();
            return (long) item.partitionKey().length() + item.sortKey().length()
                    + (index == null ? 0 : index.partitionKey().length() + index.sortKey().length())
                    + (long) CHANGE_BYTES * addition.changes().size();
        }

        JournalRecord record(long claimedMillis) {
            return new JournalRecord(claimedMillis, List.copyOf(sums.values()));
        }
    }
}
