package dev.windrow.bench.table;

/** A partition key of the table, or of its index. */
public record Resource(boolean isIndex, String partitionKey) {
}
