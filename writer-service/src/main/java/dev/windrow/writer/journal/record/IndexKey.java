package dev.windrow.writer.journal.record;

/**
 * The index keys that a bucket item gets when it is created; an item that exists keeps its own.
 *
 * @param partitionKey of the index
 * @param sortKey of the index
 */
public record IndexKey(String partitionKey, String sortKey) {
}
