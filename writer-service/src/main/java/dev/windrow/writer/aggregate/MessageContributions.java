package dev.windrow.writer.aggregate;

import java.util.List;

/**
 * What a message adds.
 *
 * @param shares one for each series that it touches, or more for those it touches in very many buckets
 * @param heapBytes about what they take on the heap, in bytes, without their series
 */
public record MessageContributions(List<Contribution> shares, long heapBytes) {
}
