package dev.windrow.writer.store;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Collectors;

import dev.windrow.dataset.Dataset;
import dev.windrow.dataset.Datasets;
import dev.windrow.dataset.Rank;
import dev.windrow.key.BucketKey;
import dev.windrow.key.KeyCodec;
import dev.windrow.key.RankKey;
import dev.windrow.table.TableSchema;

/**
 * Which leaderboards a bucket's item is in. It follows from the item's keys and what is declared now, so that an item gets
 * into a leaderboard that was declared later with its next write, whichever writer claimed it.
 */
public final class RankKeys {

    /** Without any leaderboard. */
    public static final RankKeys NONE = new RankKeys(Map.of());

    private final Map<String, Dataset> ranked;

    private RankKeys(Map<String, Dataset> ranked) {
        this.ranked = ranked;
    }

    /** Those of all leaderboards that are declared. */
    public static RankKeys of(Datasets datasets) {
        return new RankKeys(datasets.all().stream().filter(dataset -> !dataset.ranks().isEmpty())
                .collect(Collectors.toUnmodifiableMap(Dataset::name, dataset -> dataset)));
    }

    /** The attributes that an item has for its leaderboards; none if it is in none, or is no bucket. */
    public Map<String, String> attributes(String partitionKey, String sortKey) {
        Dataset dataset = ranked.isEmpty() ? null : ranked.get(datasetName(partitionKey));
        if (dataset == null) {
            return Map.of();
        }
        BucketKey bucket;
        try {
            bucket = BucketKey.ofTableKeys(partitionKey, sortKey);
        } catch (RuntimeException otherItem) {
            return Map.of();
        }
        if (bucket.series().label().values().size() != dataset.label().size()) {
            return Map.of();
        }
        Map<String, String> attributes = new LinkedHashMap<>();
        for (Rank rank : dataset.ranks()) {
            if (rank.granularities().contains(bucket.granularity())) {
                attributes.put(TableSchema.rankAttribute(rank.by()),
                        RankKey.of(bucket, rank.within().size(), rank.width()));
            }
        }
        return attributes;
    }

    /** Names of datasets have no characters that keys escape. */
    private static String datasetName(String partitionKey) {
        int from = partitionKey.indexOf(KeyCodec.SEPARATOR) + 1;
        int to = partitionKey.indexOf(KeyCodec.SEPARATOR, from);
        return to < 0 ? "" : partitionKey.substring(from, to);
    }
}
