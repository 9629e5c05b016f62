package dev.windrow.writer.journal.claim;

import java.util.LinkedHashMap;
import java.util.Map;

/** A map that evicts the least recently used entry. Not thread-safe. */
final class Recent<K, V> extends LinkedHashMap<K, V> {

    private static final long serialVersionUID = 1L;

    private final int max;

    Recent(int max) {
        super(16, 0.75f, true);
        this.max = max;
    }

    @Override
    protected boolean removeEldestEntry(Map.Entry<K, V> eldest) {
        return size() > max;
    }
}
