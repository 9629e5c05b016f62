package dev.windrow.gather.plan;

import java.util.List;
import java.util.Optional;
import java.util.SortedSet;

import dev.windrow.base.KeyCodec;

/**
 * Selects the wanted items of a range of keys. DynamoDB cannot filter by the keys that it queries, so its response is
 * filtered here.
 *
 * @param labelPrefixes prefixes of the wanted labels as encoded in keys: each has one of these; empty for all labels
 * @param except the place of the last bucket of the page before, if it cannot be kept out of the range
 * @param values the wanted values of the label's attributes as encoded in keys, in their order; an empty set for any
 */
public record ItemFilter(List<String> labelPrefixes, Optional<String> except, List<SortedSet<String>> values) {

    public static final ItemFilter ALL = new ItemFilter(List.of(), Optional.empty());

    ItemFilter(List<String> labelPrefixes, Optional<String> except) {
        this(labelPrefixes, except, List.of());
    }

    /** The same filter, but only for labels with these values. */
    ItemFilter where(List<SortedSet<String>> wanted) {
        return wanted.isEmpty() ? this : new ItemFilter(labelPrefixes, except, wanted);
    }

    /**
     * Whether an item is wanted.
     *
     * @param key the item's sort key in the index: start, label, key shard
     * @param place the same without the key shard
     */
    public boolean isWanted(String key, String place) {
        return (except.isEmpty() || !except.get().equals(place)) && (labelPrefixes.isEmpty() || hasWantedLabel(key))
                && (values.isEmpty() || hasWantedValues(key));
    }

    private boolean hasWantedValues(String key) {
        int begin = key.indexOf(KeyCodec.SEPARATOR) + 1;
        for (SortedSet<String> wanted : values) {
            int end = key.indexOf(KeyCodec.SEPARATOR, begin);
            if (!wanted.isEmpty() && !wanted.contains(key.substring(begin, end))) {
                return false;
            }
            begin = end + 1;
        }
        return true;
    }

    private boolean hasWantedLabel(String key) {
        int label = key.indexOf(KeyCodec.SEPARATOR) + 1;
        return labelPrefixes.stream().anyMatch(prefix -> key.startsWith(prefix, label));
    }
}
