package dev.windrow.gather.fanout;

import java.util.List;
import java.util.Map;
import java.util.Optional;

import dev.windrow.gather.merge.ShardItem;

/**
 * One answer of a shard: at most 1 MB of items.
 *
 * @param items sorted
 * @param next where to go on, empty at the end; present even if filters left no items
 * @param scannedItems how many items were read for it, before filters
 * @param readUnits what it cost
 */
public record ShardPage(List<ShardItem> items, Optional<Position> next, int scannedItems, double readUnits) {

    /**
     * A place in a shard: the key attributes of the last item read.
     *
     * @param key attribute names and values, as text
     */
    public record Position(Map<String, String> key) {
    }
}
