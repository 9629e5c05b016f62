package dev.windrow.gather.query;

import java.util.List;
import java.util.Optional;

import dev.windrow.base.KeyCodec;

/**
 * Which items of a range of keys are wanted. DynamoDB cannot filter by the keys of the range, so its response is filtered
 * here.
 *
 * @param labelPrefixes how the wanted labels begin as keys are written, one of these each; none for all labels
 * @param except the place of the bucket that the page before ended with: where it cannot be kept out of the range
 */
public record ItemFilter(List<String> labelPrefixes, Optional<String> except) {

    /** Every item. */
    public static final ItemFilter ALL = new ItemFilter(List.of(), Optional.empty());

    public ItemFilter {
        labelPrefixes = List.copyOf(labelPrefixes);
    }

    /**
     * Whether an item is wanted.
     *
     * @param key the item's sort key in the index: start, label, key shard
     * @param place the same without the key shard
     */
    public boolean isWanted(String key, String place) {
        return (except.isEmpty() || !except.get().equals(place)) && (labelPrefixes.isEmpty() || hasWantedLabel(key));
    }

    private boolean hasWantedLabel(String key) {
        int label = key.indexOf(KeyCodec.SEPARATOR) + 1;
        for (String prefix : labelPrefixes) {
            if (key.startsWith(prefix, label)) {
                return true;
            }
        }
        return false;
    }
}
