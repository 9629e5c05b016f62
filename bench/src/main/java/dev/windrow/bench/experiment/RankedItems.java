package dev.windrow.bench.experiment;

import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;

import dev.windrow.bench.server.DynamoDbServer;
import dev.windrow.bench.table.Key;
import dev.windrow.bench.table.Values;
import dev.windrow.dataset.Granularity;
import dev.windrow.dataset.MeasureKind.Part;
import dev.windrow.dataset.Rank;
import dev.windrow.dataset.Scatter.Murmur3;
import dev.windrow.table.BucketKey;
import dev.windrow.table.Label;
import dev.windrow.table.RankKey;
import dev.windrow.table.SeriesKey;
import dev.windrow.table.TableSchema;

/**
 * The buckets of a day of a ranked dataset; each label is a referrer and one of its URLs. As there are many, an item is made
 * when it is read.
 */
final class RankedItems {

    private static final int URLS = 100;
    static final String RANKED = "ranked";
    static final String RANGE = "from=2026-11-20T00:00:00Z&to=2026-11-21T00:00:00Z";

    private static final Instant DAY = Instant.parse("2026-11-20T00:00:00Z");
    private static final int SCATTER_WIDTH = 10;
    private static final Rank RANK = new Rank("events", List.of(), 4, List.of(Granularity.DAY));
    static final DatasetFile DATASETS = new DatasetFile(DatasetFile.dataset(RANKED, List.of("referrer", "url"), List.of("day"),
            SCATTER_WIDTH, ", rank: [{by: events, width: 4}]"));

    /** How far labels are apart that follow each other in the rank; a prime, so that each label comes once. */
    private static final int STEP = 7_919;
    /** More than a list has. */
    private static final int LISTED = 100;

    private final int referrers;
    private final int[] ranks;

    /** @param referrers how many; 1,000 or 10,000 */
    RankedItems(int referrers) {
        this.referrers = referrers;
        this.ranks = new int[labels()];
        for (int rank = 0; rank < labels(); rank++) {
            ranks[label(rank)] = rank;
        }
    }

    private int labels() {
        return referrers * URLS;
    }

    private static String referrer(int number) {
        // Of one length, so that labels are in the order of their numbers.
        return "https://referrer-" + (100_000 + number) + ".example.org/";
    }

    private int label(int rank) {
        return (int) ((long) rank * STEP % labels());
    }

    /**
     * Records what queries read: both indexes, single items, and which leaderboard is complete.
     */
    void recordTo(DynamoDbServer table) {
        Map<String, List<Integer>> index = new HashMap<>();
        Map<String, List<Integer>> leaderboard = new HashMap<>();
        for (int i = 0; i < labels(); i++) {
            index.computeIfAbsent(indexPartition(key(i)), shard -> new ArrayList<>()).add(i);
            leaderboard.computeIfAbsent(rankPartition(key(label(i))), shard -> new ArrayList<>()).add(label(i));
        }
        index.forEach((shard, labels) -> table.record(shard, labels.size(), i -> item(labels.get(i))));
        leaderboard.forEach(
                (shard, labels) -> table.record(shard, labels.size(), i -> entry(key(labels.get(i)), labels.get(i))));
        IntStream.range(0, LISTED).map(this::label).forEach(label -> table.items()
                .put(new Key(key(label).series().partitionKey(), key(label).sortKey()), item(label)));
        table.items().put(new Key(TableSchema.DATASETS_PK, TableSchema.DATASETS_SK), JsonNodeFactory.instance.objectNode()
                .set(TableSchema.rankedAttribute(RANKED), Values.text(RANK.text())));
    }

    private static BucketKey key(int label) {
        return new BucketKey(new SeriesKey("default", RANKED,
                new Label(List.of(referrer(label / URLS), "/page-" + label % URLS / 10 + label % 10)), 2, 0),
                Granularity.DAY, DAY);
    }

    private static String indexPartition(BucketKey key) {
        return key.indexPartitionKey(Murmur3.bounded(key.indexSortKey(), SCATTER_WIDTH));
    }

    private static String rankPartition(BucketKey key) {
        return RankKey.of(key, RANK.within().size(), RANK.width());
    }

    /** An item as it is in the table and in the index of scatter shards. */
    private ObjectNode item(int label) {
        BucketKey key = key(label);
        ObjectNode item = entry(key, label);
        item.set(TableSchema.INDEX_PK, Values.text(indexPartition(key)));
        item.set(TableSchema.INDEX_SK, Values.text(key.indexSortKey()));
        item.set(Part.VALUE.attribute("bytes"), Values.number(1_000 + label));
        return item.set(TableSchema.lanePosition(0), Values.number(123_456));
    }

    /** An item as it is in the leaderboard's index, which has only keys. */
    private ObjectNode entry(BucketKey key, int label) {
        ObjectNode item = JsonNodeFactory.instance.objectNode();
        item.set(TableSchema.PK, Values.text(key.series().partitionKey()));
        item.set(TableSchema.SK, Values.text(key.sortKey()));
        item.set(TableSchema.rankAttribute(RANK.by()), Values.text(rankPartition(key)));
        return item.set(Part.VALUE.attribute(RANK.by()), Values.number(1 + labels() / (1 + ranks[label])));
    }
}
