package dev.windrow.base;

import java.util.LinkedHashMap;
import java.util.Map;

/** A map that evicts the least recently used entry. Not thread-safe. */
public final class RecentMap<K, V> extends LinkedHashMap<K, V> {

    private static final long serialVersionUID = 1L;

    private final int max;

    /** @param max maximum number of entries */
    public RecentMap(int max) {
        super(16, 0.75f, true);
        this.max = max;
    }

    @Override
    protected boolean removeEldestEntry(Map.Entry<K, V> eldest) {
        return size() > max;
    }
}
