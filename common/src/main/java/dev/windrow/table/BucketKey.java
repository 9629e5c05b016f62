package dev.windrow.table;

import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

import dev.windrow.base.InvalidInputException;
import dev.windrow.base.KeyCodec;
import dev.windrow.base.Reason;
import dev.windrow.event.TenantNames;
import dev.windrow.time.EventTimes;
import dev.windrow.time.Granularity;
import dev.windrow.time.Rfc3339Parser;

/**
 * The key of a bucket's item.
 *
 * @param start the start of the bucket, a whole second
 */
public record BucketKey(SeriesKey series, Granularity granularity, Instant start) {

    /**
     * The table's sort key: buckets of one granularity sort by time, then by the label values that are not in the partition
     * key.
     *
     * @throws InvalidInputException with {@link Reason#KEY_TOO_LONG} over 1,024 bytes, or {@link Reason#INVALID_TEXT}
     */
    public String sortKey() {
        String end = series.sortKeyEnd();
        String key = sortKey(granularity, start);
        return end.isEmpty() ? key : KeyCodec.requireFit("label", key + end, AwsLimits.SORT_KEY_BYTES);
    }

    /** The prefix of the table's sort keys of all buckets with that granularity and start, to bound a range. */
    public static String sortKey(Granularity granularity, Instant start) {
        return granularity.name() + KeyCodec.SEPARATOR + start;
    }

    /** The bucket start in a sort key of the table, in seconds since the epoch; empty if the key has none. */
    public static OptionalLong startSeconds(String sortKey) {
        int from = sortKey.indexOf(KeyCodec.SEPARATOR) + 1;
        int to = sortKey.indexOf(KeyCodec.SEPARATOR, from);
        try {
            return OptionalLong
                    .of(Rfc3339Parser.instant(sortKey.substring(from, to < 0 ? sortKey.length() : to)).getEpochSecond());
        } catch (DateTimeParseException e) {
            return OptionalLong.empty();
        }
    }

    /**
     * The index's sort key: unique within tenant, dataset and granularity, sorted by time, then label, then key shard.
     *
     * @throws InvalidInputException with {@link Reason#KEY_TOO_LONG} over 1,024 bytes, or {@link Reason#INVALID_TEXT}
     */
    public String indexSortKey() {
        StringBuilder key = new StringBuilder(96).append(start);
        series.appendLabel(key);
        return KeyCodec.requireFit("label", key.toString(), AwsLimits.SORT_KEY_BYTES);
    }

    /** The index's partition key. */
    public String indexPartitionKey(int scatterShard) {
        return indexPartitionKeyPrefix(series.tenant(), series.dataset(), granularity) + scatterShard;
    }

    /** The common prefix of the index's partition keys; the number of the scatter shard follows. */
    public static String indexPartitionKeyPrefix(String tenant, String dataset, Granularity granularity) {
        return KeyCodec.encode(List.of(tenant, dataset, granularity.name(), ""));
    }

    /**
     * Parses the table's keys of a bucket.
     *
     * @throws IllegalArgumentException if this codec did not write them, or the granularity is unknown
     * @throws DateTimeParseException if the start is not a time
     * @throws IndexOutOfBoundsException if there are too few parts
     */
    public static BucketKey ofTableKeys(String partitionKey, String sortKey) {
        SeriesKey first = SeriesKey.ofPartitionKey(partitionKey);
        List<String> parts = KeyCodec.decode(sortKey);
        Granularity granularity = Granularity.parse(parts.get(0))
                .orElseThrow(() -> new IllegalArgumentException("expected " + Granularity.EXPECTED));
        List<String> values = new ArrayList<>(first.label().values());
        values.addAll(parts.subList(2, parts.size()));
        SeriesKey series = new SeriesKey(first.tenant(), first.dataset(), new Label(values), first.label().values().size(),
                first.keyShard());
        return new BucketKey(series, granularity, Rfc3339Parser.instant(parts.get(1)));
    }

    /** Returns the bucket of an item; empty if no bucket has exactly these keys. */
    public static Optional<BucketKey> ofItem(String partitionKey, String sortKey) {
        try {
            BucketKey bucket = ofTableKeys(partitionKey, sortKey);
            boolean possible = TenantNames.isValid(bucket.series.tenant()) && bucket.series.keyShard() >= 0
                    && bucket.granularity.isStart(bucket.start) && !bucket.start.isAfter(EventTimes.LATEST)
                    && !bucket.start.isBefore(bucket.granularity.floor(EventTimes.EARLIEST));
            return possible && bucket.series.partitionKey().equals(partitionKey) && bucket.sortKey().equals(sortKey)
                    ? Optional.of(bucket)
                    : Optional.empty();
        } catch (RuntimeException otherItem) {
            return Optional.empty();
        }
    }
}
