package dev.windrow.gather.read;

import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * One response of a shard: at most 1 MB of items.
 *
 * @param items sorted
 * @param next where to continue: the key attributes of the last item read, as text; empty at the end, and present even if
 *        filters left no items
 * @param scannedItems how many items were read for it, before filters
 */
public record ShardPage(List<ShardItem> items, Optional<Map<String, String>> next, int scannedItems, double readUnits) {
}
