package dev.windrow.key;

import java.util.List;

import dev.windrow.reason.InvalidInputException;
import dev.windrow.reason.Reason;
import dev.windrow.table.AwsLimits;

/**
 * One item collection of the table: all buckets of a label's key shard.
 *
 * @param tenant the isolated owner; first in every key, so that IAM's {@code dynamodb:LeadingKeys} can bound it
 * @param dataset the dataset's name
 * @param label the label
 * @param keyShard from 0 up to the dataset's key shards
 */
public record SeriesKey(String tenant, String dataset, Label label, int keyShard) {

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
        appendLabel(key);
        return KeyCodec.requireFit("label", key.toString(), AwsLimits.PARTITION_KEY_BYTES);
    }

    /** Reads a partition key that {@link #partitionKey()} wrote. */
    public static SeriesKey ofPartitionKey(String key) {
        List<String> parts = KeyCodec.decode(key);
        int last = parts.size() - 1;
        return new SeriesKey(parts.get(0), parts.get(1), new Label(parts.subList(2, last)),
                Integer.parseInt(parts.get(last)));
    }

    void appendLabel(StringBuilder key) {
        for (String value : label.values()) {
            key.append(KeyCodec.SEPARATOR);
            KeyCodec.append(key, value);
        }
        key.append(KeyCodec.SEPARATOR).append(keyShard);
    }

    // A series is looked up for each event, and a record's generated methods cost more than reading the event.

    @Override
    public boolean equals(Object other) {
        return this == other || (other instanceof SeriesKey key && keyShard == key.keyShard && label.equals(key.label)
                && dataset.equals(key.dataset) && tenant.equals(key.tenant));
    }

    @Override
    public int hashCode() {
        return 31 * (31 * (31 * label.hashCode() + keyShard) + dataset.hashCode()) + tenant.hashCode();
    }
}
