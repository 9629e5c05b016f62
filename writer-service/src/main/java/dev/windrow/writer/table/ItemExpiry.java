package dev.windrow.writer.table;

import java.time.Instant;
import java.util.Map;
import java.util.OptionalLong;
import java.util.stream.Collectors;

import org.jspecify.annotations.Nullable;

import dev.windrow.base.KeyCodec;
import dev.windrow.dataset.Dataset;
import dev.windrow.dataset.Datasets;
import dev.windrow.dataset.Granularity;
import dev.windrow.dataset.Retention;
import dev.windrow.table.BucketKey;
import dev.windrow.table.SeriesKey;

/**
 * When a bucket's item expires. It follows from the item's keys and what is declared now, so that every update of an item says
 * the same. Of datasets that only other writers declare it is not known; their next update says it.
 */
public final class ItemExpiry {

    /** Nothing expires. */
    public static final ItemExpiry NONE = new ItemExpiry(Map.of());

    private final Map<String, Retention> declared;

    private ItemExpiry(Map<String, Retention> declared) {
        this.declared = declared;
    }

    /** That of all declared datasets. */
    public static ItemExpiry of(Datasets datasets) {
        return new ItemExpiry(datasets.all().stream().filter(dataset -> !dataset.retention().equals(Retention.FOREVER))
                .collect(Collectors.toUnmodifiableMap(Dataset::name, Dataset::retention)));
    }

    /** The time to live of a bucket's item, in seconds since the epoch; empty if it is kept for ever, or is no bucket. */
    public OptionalLong of(String partitionKey, String sortKey) {
        Retention retention = declared.isEmpty() ? null : declared.get(SeriesKey.dataset(partitionKey));
        int end = sortKey.indexOf(KeyCodec.SEPARATOR);
        if (retention == null || end < 0) {
            return OptionalLong.empty();
        }
        OptionalLong start = BucketKey.startSeconds(sortKey);
        @Nullable
        Instant deletion = start.isEmpty() ? null
                : Granularity.parse(sortKey.substring(0, end))
                        .map(granularity -> retention.deletion(granularity, Instant.ofEpochSecond(start.getAsLong())))
                        .orElse(null);
        return deletion == null ? OptionalLong.empty() : OptionalLong.of(deletion.getEpochSecond());
    }
}
