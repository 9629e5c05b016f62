package dev.windrow.bench.experiment;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;

import dev.windrow.bench.experiment.Lab.Http;
import dev.windrow.bench.page.Section.Found;
import dev.windrow.bench.page.Section.Target;
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

/** What a leaderboard saves: the top of a million labels. */
final class Ranked implements Experiment {

    private static final int REFERRERS = 10_000;
    private static final int WARM_UP_SECONDS = 60;
    private static final ObjectMapper JSON = new ObjectMapper();

    /** What a query read from where, in read units; the median of its time and the gatherer's processor time, in ms. */
    private record Cost(String source, double units, double millis, double cpu, JsonNode items) {

        List<Object> row(String what) {
            return List.of(what, source, units, millis, cpu);
        }
    }

    @Override
    public Found run(Lab lab) {
        RankedItems items = new RankedItems(lab.amount(REFERRERS));
        DynamoDbServer table = new DynamoDbServer(lab.vertx());
        items.recordTo(table);
        // The sums of a million labels take more memory than other queries.
        try (GatherStage stage = new GatherStage(lab, table, RankedItems.DATASETS,
                List.of("-Xmx4g", "-Dwindrow.gather.api.max-timeout=2m"))) {
            String top = "top?by=events&n=10&timeout=PT2M&" + RankedItems.RANGE;
            Cost ranked = cost(lab, stage, top, "rank", 500);
            Cost all = cost(lab, stage, top + "&order=magnitude", "index", 1);
            requireSame(ranked, all);
            return Found.of(List.of("top 10 of", "read from", "read units", "median ms", "ms of CPU"),
                    List.of(ranked.row("all labels"), all.row("all labels")),
                    List.of(Target.atMost("ranked.units", "read units, top 10 of a million labels by a ranked measure",
                            ranked.units(), 20),
                            Target.atMost("ranked.cpu", "ms of CPU, top 10 of a million labels by a ranked measure",
                                    ranked.cpu(), 5),
                            Target.atMost("ranked.all.cpu", "CPU of that over CPU of reading all labels",
                                    ranked.cpu() / all.cpu(), 0.01)));
        }
    }

    private static Cost cost(Lab lab, GatherStage stage, String query, String source, int times) {
        JsonNode answer = answer(stage, query);
        if (!answer.at("/explain/plan/0/source").asText().equals(source)) {
            throw new IllegalStateException("expected to be read from " + source + ", found " + answer);
        }
        GatherWay way = stage.way(source, GatherStage.question(RankedItems.RANKED, query), times);
        way.warmUp(lab.seconds(WARM_UP_SECONDS));
        double before = stage.dynamoDb().meter().read().readUnits();
        way.rounds(lab.rounds());
        double units = (stage.dynamoDb().meter().read().readUnits() - before) / (times * lab.rounds());
        lab.progress("from %s: %.1f units, %.1f ms of CPU", source, units, way.cpu());
        return new Cost(source, units, way.median(), way.cpu(), answer.path("items"));
    }

    private static JsonNode answer(GatherStage stage, String query) {
        try {
            return JSON.readTree(Http.get(stage.uri(GatherStage.question(RankedItems.RANKED, query + "&explain=true"))));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void requireSame(Cost a, Cost b) {
        if (a.items().size() != 10 || !a.items().equals(b.items())) {
            throw new IllegalStateException("expected the same ten, found " + a + " and " + b);
        }
    }

    /**
     * The buckets of a day of a ranked dataset; each label is a referrer and one of its URLs. As there are many, an item is
     * made when it is read.
     */
    static final class RankedItems {

        private static final int URLS = 100;
        static final String RANKED = "ranked";
        static final String RANGE = "from=2026-11-20T00:00:00Z&to=2026-11-21T00:00:00Z";

        private static final Instant DAY = Instant.parse("2026-11-20T00:00:00Z");
        private static final int SCATTER_WIDTH = 10;
        private static final Rank RANK = new Rank("events", List.of(), 4, List.of(Granularity.DAY));
        static final DatasetFile DATASETS = new DatasetFile(
                DatasetFile.dataset(RANKED, List.of("referrer", "url"), List.of("day"),
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

        /** The attributes of an item in the table and in the scatter index. */
        private ObjectNode item(int label) {
            BucketKey key = key(label);
            ObjectNode item = entry(key, label);
            item.set(TableSchema.INDEX_PK, Values.text(indexPartition(key)));
            item.set(TableSchema.INDEX_SK, Values.text(key.indexSortKey()));
            item.set(Part.VALUE.attribute("bytes"), Values.number(1_000 + label));
            return item.set(TableSchema.lanePosition(0), Values.number(123_456));
        }

        /** The attributes of an item in a leaderboard's index, which holds only keys. */
        private ObjectNode entry(BucketKey key, int label) {
            ObjectNode item = JsonNodeFactory.instance.objectNode();
            item.set(TableSchema.PK, Values.text(key.series().partitionKey()));
            item.set(TableSchema.SK, Values.text(key.sortKey()));
            item.set(TableSchema.rankAttribute(RANK.by()), Values.text(rankPartition(key)));
            return item.set(Part.VALUE.attribute(RANK.by()), Values.number(1 + labels() / (1 + ranks[label])));
        }
    }
}
