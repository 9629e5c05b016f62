package dev.windrow.scatter;

import java.util.Locale;

/** How an item's scatter shard is chosen. Either way it never changes while the item lives. */
public enum ScatterStrategy {

    /** By the hash of the index sort key: any writer can compute the shard without reading the item. */
    HASH,

    /** Drawn when the item is first written, and kept. */
    RANDOM;

    /** The name in declarations. */
    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }
}
