package dev.windrow.writer.record;

/** The index keys that a bucket item gets when it is created; an item that exists keeps its own. */
public record IndexKey(String partitionKey, String sortKey) {
}
