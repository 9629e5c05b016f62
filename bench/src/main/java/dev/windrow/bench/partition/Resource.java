package dev.windrow.bench.partition;

import org.jspecify.annotations.Nullable;

/**
 * A partition key of a table or of an index.
 *
 * @param table the table
 * @param index the index, or null for the table itself
 * @param partitionKey its value
 */
public record Resource(String table, @Nullable String index, String partitionKey) {

    /** Whether this is a partition of an index. */
    public boolean isIndex() {
        return index != null;
    }

    /** The resource's name as the service writes it. */
    public String arn() {
        String arn = "arn:aws:dynamodb:us-east-1:000000000000:table/" + table;
        return index == null ? arn : arn + "/index/" + index;
    }
}
