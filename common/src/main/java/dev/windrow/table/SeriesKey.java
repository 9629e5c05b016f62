package dev.windrow.table;

import java.util.Comparator;
import java.util.List;

import dev.windrow.base.InvalidInputException;
import dev.windrow.base.KeyCodec;
import dev.windrow.base.Reason;

/**
 * A key shard of a label. All its buckets are in one item collection of the table, shared with all labels that have the same
 * first values if only these are in the partition key.
 *
 * @param tenant the isolated owner; first in every key, so that IAM's {@code dynamodb:LeadingKeys} can restrict access to it
 * @param partition the number of first label values that are in the table's partition key; the others are in the sort key
 * @param keyShard from 0 to the dataset's number of key shards, exclusive
 */
public record SeriesKey(String tenant, String dataset, Label label, int partition, int keyShard)
        implements
            Comparable<SeriesKey> {

    private static final Comparator<SeriesKey> ORDER = Comparator.comparing(SeriesKey::label)
            .thenComparingInt(SeriesKey::keyShard).thenComparingInt(SeriesKey::partition).thenComparing(SeriesKey::dataset)
            .thenComparing(SeriesKey::tenant);

    public SeriesKey {
        if (partition < 0 || partition > label.values().size()) {
            throw new IllegalArgumentException(
                    "expected at most " + label.values().size() + " values in the partition key, found " + partition);
        }
    }

    /** A series with the whole label in the partition key. */
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

    /** Parses the output of {@link #partitionKey()}. The label has only the values that are in the partition key. */
    public static SeriesKey ofPartitionKey(String key) {
        List<String> parts = KeyCodec.decode(key);
        int last = parts.size() - 1;
        return new SeriesKey(parts.get(0), parts.get(1), new Label(parts.subList(2, last)), Integer.parseInt(parts.get(last)));
    }

    /** The dataset in a partition key; empty if there is none. Names of datasets have no characters that keys escape. */
    public static String dataset(String partitionKey) {
        int begin = partitionKey.indexOf(KeyCodec.SEPARATOR) + 1;
        int end = partitionKey.indexOf(KeyCodec.SEPARATOR, begin);
        return end < 0 ? "" : partitionKey.substring(begin, end);
    }

    /** The end of the table's sort keys: the label values that are not in the partition key; empty if all are. */
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

    // A series is looked up for each event, and a record's generated methods are slower than reading the event.

    @Override
    public boolean equals(Object other) {
        return this == other || (other instanceof SeriesKey key && keyShard == key.keyShard
                && partition == key.partition && label.equals(key.label)
                && dataset.equals(key.dataset) && tenant.equals(key.tenant));
    }

    @Override
    public int hashCode() {
        // Multiplied, as labels that differ only in a few digits would collide in a map, which itself mixes in the upper half.
        return (31 * (31 * (31 * label.hashCode() + keyShard) + dataset.hashCode()) + tenant.hashCode()) * 0x9E3779B9;
    }

    /** For maps, in which keys may have equal hashes; see {@link Label}. */
    @Override
    public int compareTo(SeriesKey other) {
        return ORDER.compare(this, other);
    }
}
