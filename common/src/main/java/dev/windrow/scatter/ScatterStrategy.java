package dev.windrow.scatter;

import java.util.Locale;

/** How an item's scatter shard is chosen. It never changes during the item's lifetime. */
public enum ScatterStrategy {

    /** By the hash of the index sort key: any writer can compute the shard without reading the item. */
    HASH,

    /** Chosen at random when the item is first written, and then kept. */
    RANDOM;

    /** The name in declarations. */
    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }
}
