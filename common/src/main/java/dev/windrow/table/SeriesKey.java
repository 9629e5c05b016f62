package dev.windrow.table;

import java.util.List;

import dev.windrow.base.InvalidInputException;
import dev.windrow.base.KeyCodec;
import dev.windrow.base.Reason;
import dev.windrow.table.TableSchema.AwsLimits;

/**
 * A key shard of a label. All its buckets are in one item collection of the table, which it shares with all labels that
 * begin with the same values if only these are in the partition key.
 *
 * @param tenant the isolated owner; first in every key, so that IAM's {@code dynamodb:LeadingKeys} can bound it
 * @param partition how many of the label's first values are in the table's partition key; the others are in the sort key
 * @param keyShard from 0 up to the dataset's key shards
 */
public record SeriesKey(String tenant, String dataset, Label label, int partition, int keyShard) {

    public SeriesKey {
        if (partition < 0 || partition > label.values().size()) {
            throw new IllegalArgumentException(
                    "expected at most " + label.values().size() + " values in the partition key, found " + partition);
        }
    }

    /** One with the whole label in the partition key. */
    public SeriesKey(String tenant, String dataset, Label label, int keyShard) {
        this(tenant, dataset, label, label.values().size(), keyShard);
    }

    /**
     * The table's partition key.
     *
     * @throws InvalidInputException with {@link Reason#KEY_TOO_LONG} over 2,048 bytes, or {@link Reason#INVALID_TEXT}
     */
    public String partitionKey() {
        StringBuilder key = new StringBuilder(96);
        KeyCodec.append(key, tenant);
        key.append(KeyCodec.SEPARATOR);
        KeyCodec.append(key, dataset);
        append(key, label.values().subList(0, partition));
        key.append(KeyCodec.SEPARATOR).append(keyShard);
        return KeyCodec.requireFit("label", key.toString(), AwsLimits.PARTITION_KEY_BYTES);
    }

    /**
     * Reads a partition key that {@link #partitionKey()} wrote. Its label has just the values that are in the partition key.
     */
    public static SeriesKey ofPartitionKey(String key) {
        List<String> parts = KeyCodec.decode(key);
        int last = parts.size() - 1;
        return new SeriesKey(parts.get(0), parts.get(1), new Label(parts.subList(2, last)), Integer.parseInt(parts.get(last)));
    }

    /** The dataset in a partition key, as names of datasets have no characters that keys escape; empty if there is none. */
    public static String dataset(String partitionKey) {
        int begin = partitionKey.indexOf(KeyCodec.SEPARATOR) + 1;
        int end = partitionKey.indexOf(KeyCodec.SEPARATOR, begin);
        return end < 0 ? "" : partitionKey.substring(begin, end);
    }

    /** How the table's sort keys end: with the label's values that are not in the partition key; empty if all are. */
    public String sortKeyEnd() {
        if (partition == label.values().size()) {
            return "";
        }
        StringBuilder end = new StringBuilder(64);
        append(end, label.values().subList(partition, label.values().size()));
        return end.toString();
    }

    void appendLabel(StringBuilder key) {
        append(key, label.values());
        key.append(KeyCodec.SEPARATOR).append(keyShard);
    }

    private static void append(StringBuilder key, List<String> values) {
        for (String value : values) {
            key.append(KeyCodec.SEPARATOR);
            KeyCodec.append(key, value);
        }
    }

    // A series is looked up for each event, and a record's generated methods cost more than reading the event.

    @Override
    public boolean equals(Object other) {
        return this == other || (other instanceof SeriesKey key && keyShard == key.keyShard
                && partition == key.partition && label.equals(key.label)
                && dataset.equals(key.dataset) && tenant.equals(key.tenant));
    }

    @Override
    public int hashCode() {
        // Multiplied, as labels that differ in some digits only would crowd in a map, which folds the upper half in itself.
        return (31 * (31 * (31 * label.hashCode() + keyShard) + dataset.hashCode()) + tenant.hashCode()) * 0x9E3779B9;
    }
}
