package dev.windrow.gather.plan;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

import dev.windrow.base.KeyCodec;
import dev.windrow.dataset.Dataset;
import dev.windrow.gather.label.LabelPartition;
import dev.windrow.gather.parameter.QueryParameter;
import dev.windrow.gather.plan.PartitionRanges.KeyRange;
import dev.windrow.gather.range.TimeRange;
import dev.windrow.table.AwsLimits;
import dev.windrow.table.BucketKey;
import dev.windrow.table.Utf8Order;
import dev.windrow.time.Granularity;

/**
 * The sort keys of a table partition that hold the buckets of a range of starts. In a bucket, labels with the same first
 * values are next to each other. So if not all labels of the partition are wanted, and the range has few buckets, each
 * bucket has a key range of its own. Otherwise one key range holds all of them, and unwanted labels are dropped.
 * <p>
 * Bounds are inclusive, but no key equals a bound that ends with the character after the separator: in a key, the start and
 * each value are followed by the separator, which sorts before it, and an escape is always followed by another character.
 *
 * @param partitions number of partitions that share the maximum number of ranges
 */
record PartitionRanges(Dataset dataset, Granularity granularity, TimeRange range, boolean descending, int partitions) {

    /** Maximum number of ranges of a stage, counting key shards: as many reads as for a usual width. */
    static final int MAX_RANGES = 100;

    /**
     * The ranges of a partition.
     *
     * @param after only items beyond this place, in the requested order
     */
    List<KeyRange> of(LabelPartition partition, Optional<Cursor> after) {
        TimeRange left = after.map(cursor -> beyond(partition, cursor)).orElse(range);
        if (left.isEmpty()) {
            return List.of();
        }
        KeyRange whole = after.filter(cursor -> isIn(partition, cursor)).map(cursor -> beyond(partition, left, cursor))
                .orElseGet(() -> whole(partition, left));
        List<Instant> starts = partition.prefixes().isEmpty() ? List.of() : starts(left, partition.prefixes().size());
        List<KeyRange> ranges = new ArrayList<>(starts.isEmpty() ? List.of(whole) : List.of());
        for (Instant start : starts) {
            Instant end = TimeRange.earlier(granularity.end(start), TimeRange.END);
            String bucket = BucketKey.sortKey(granularity, start) + KeyCodec.SEPARATOR;
            partition.prefixes().forEach(prefix -> ranges.add(part(whole, bucket, partition.rest(prefix), end)));
        }
        ranges.removeIf(KeyRange::isEmpty);
        return ranges;
    }

    /** The starts of buckets in a range; empty if they are too many for a range each. */
    private List<Instant> starts(TimeRange of, int prefixes) {
        List<Instant> starts = new ArrayList<>();
        Instant start = TimeRange.ceiling(granularity, of.from());
        while (start.isBefore(of.to())) {
            starts.add(start);
            if (starts.size() * prefixes > MAX_RANGES / (partitions * dataset.keyShards())) {
                return List.of();
            }
            start = granularity.end(start);
        }
        return starts;
    }

    /** @param rest prefix of the label values in the sort key, each value followed by the separator */
    private KeyRange part(KeyRange whole, String bucket, String rest, Instant end) {
        boolean oneLabel = rest.chars().filter(c -> c == KeyCodec.SEPARATOR).count() == dataset.label().size()
                - dataset.partition();
        if (oneLabel) {
            String key = bucket + rest.substring(0, rest.length() - 1);
            return whole.within(key, key, end);
        }
        String following = following(bucket + rest);
        boolean fits = KeyCodec.utf8Length(QueryParameter.LABEL.word(), following) <= AwsLimits.SORT_KEY_BYTES;
        return whole.within(bucket + rest, fits ? following : following(bucket), end);
    }

    /** The first text that sorts after all texts with a prefix. */
    private static String following(String text) {
        int last = text.codePointBefore(text.length());
        String before = text.substring(0, text.length() - Character.charCount(last));
        if (last == Character.MAX_CODE_POINT) {
            return following(before);
        }
        boolean surrogatesFollow = last + 1 == Character.MIN_SURROGATE;
        return before + Character.toString(surrogatesFollow ? Character.MAX_SURROGATE + 1 : last + 1);
    }

    private KeyRange whole(LabelPartition partition, TimeRange of) {
        String lastStart = BucketKey.sortKey(granularity, of.to().minusSeconds(1));
        return new KeyRange(BucketKey.sortKey(granularity, of.from()),
                dataset.isWholeLabelPartition() ? lastStart : lastStart + Planner.AFTER_SEPARATOR, of.to(),
                new ItemFilter(partition.prefixes(), Optional.empty()));
    }

    /** The range after a cursor whose bucket has more labels of the partition. */
    private KeyRange beyond(LabelPartition partition, TimeRange of, Cursor cursor) {
        KeyRange whole = whole(partition, of);
        String last = BucketKey.sortKey(granularity, cursor.start())
                + cursor.position().substring(place(partition, cursor).length());
        return new KeyRange(descending ? whole.fromKey() : last, descending ? last : whole.toKey(), whole.until(),
                new ItemFilter(partition.prefixes(), Optional.of(cursor.position())));
    }

    /** The starts beyond a place. Buckets with the same start are ordered by label. */
    private TimeRange beyond(LabelPartition partition, Cursor cursor) {
        int order = Utf8Order.ASCENDING.compare(place(partition, cursor), cursor.position());
        boolean startsHere = isIn(partition, cursor) || (descending ? order < 0 : order > 0);
        Instant next = cursor.start().plusSeconds(1);
        return descending
                ? new TimeRange(range.from(), startsHere ? next : cursor.start())
                : new TimeRange(startsHere ? cursor.start() : next, range.to());
    }

    /** Whether a place is that of a label of the partition, so that other labels may follow. */
    private static boolean isIn(LabelPartition partition, Cursor cursor) {
        return cursor.position().startsWith(place(partition, cursor) + KeyCodec.SEPARATOR);
    }

    /** The place at which the partition's labels begin among the buckets with the cursor's start. */
    private static String place(LabelPartition partition, Cursor cursor) {
        List<String> place = new ArrayList<>(List.of(cursor.start().toString()));
        place.addAll(partition.first());
        return KeyCodec.encode(place);
    }

    /**
     * A range of the sort keys of one partition of the table.
     *
     * @param fromKey lowest, inclusive
     * @param toKey highest, inclusive
     * @param until end of the range of bucket starts, exclusive
     * @param items which of the items in it are wanted
     */
    record KeyRange(String fromKey, String toKey, Instant until, ItemFilter items) {

        boolean isEmpty() {
            return Utf8Order.ASCENDING.compare(fromKey, toKey) > 0;
        }

        /** The part of it that lies within other bounds, both inclusive. */
        KeyRange within(String lowest, String highest, Instant end) {
            return new KeyRange(Utf8Order.ASCENDING.compare(fromKey, lowest) > 0 ? fromKey : lowest,
                    Utf8Order.ASCENDING.compare(toKey, highest) < 0 ? toKey : highest, end, items);
        }
    }
}
