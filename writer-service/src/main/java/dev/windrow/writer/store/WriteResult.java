package dev.windrow.writer.store;

/**
 * The table's answer to a write.
 *
 * @param units write units taken from table and index; 0 if the answer did not tell
 */
public record WriteResult(double units) {
}
