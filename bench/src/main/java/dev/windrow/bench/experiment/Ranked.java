package dev.windrow.bench.experiment;

import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;

import dev.windrow.bench.page.Found;
import dev.windrow.bench.page.Target;
import dev.windrow.bench.server.DynamoDbServer;
import dev.windrow.bench.server.ItemKey;
import dev.windrow.bench.server.Values;
import dev.windrow.dataset.MeasurePart;
import dev.windrow.dataset.Rank;
import dev.windrow.scatter.Murmur3;
import dev.windrow.table.BucketKey;
import dev.windrow.table.Label;
import dev.windrow.table.RankKey;
import dev.windrow.table.SeriesKey;
import dev.windrow.table.TableSchema;
import dev.windrow.time.Granularity;
import io.vertx.core.json.JsonObject;

/** Cost of reading a leaderboard: the top of a million labels. */
final class Ranked implements Experiment {

    private static final int REFERRERS = 10_000;
    private static final int WARM_UP_SECONDS = 60;
    private static final int GATHERS = 500;
    private static final String TOP = "top?by=events&n=10&" + RankedItems.RANGE;

    @Override
    public Found run(Lab lab) {
        RankedItems items = new RankedItems(lab.amount(REFERRERS));
        DynamoDbServer table = new DynamoDbServer(lab.vertx());
        items.recordTo(table);
        try (GatherStage stage = new GatherStage(lab, table, RankedItems.DATASET)) {
            String question = GatherStage.question(RankedItems.RANKED, TOP);
            require(Http.get(stage.uri(question + "&explain=true")), items);
            GatherWay way = stage.way("top", question);
            way.warmUp(lab.seconds(WARM_UP_SECONDS), GATHERS);
            double before = table.table().meter().read().readUnits();
            IntStream.range(0, lab.rounds()).forEach(round -> way.round(GATHERS, 1));
            double units = (table.table().meter().read().readUnits() - before) / way.micros().size();
            return new Found(List.of("top 10 of", "read units", "median ms", "ms of CPU"),
                    List.of(List.of(items.labels() + " labels", units, way.median(), way.cpu())),
                    List.of(Target.atMost("ranked.units", "read units, top 10 of a million labels by a ranked measure", units,
                            20),
                            Target.atMost("ranked.cpu", "ms of CPU, top 10 of a million labels by a ranked measure", way.cpu(),
                                    5)));
        }
    }

    private static void require(String answer, RankedItems items) {
        JsonObject json = new JsonObject(answer);
        List<Long> found = json.getJsonArray("items").stream()
                .map(item -> ((JsonObject) item).getJsonObject("measures").getLong("events")).toList();
        String source = json.getJsonObject("explain").getJsonArray("plan").getJsonObject(0).getString("source");
        if (!source.equals("rank") || !found.equals(items.top(10))) {
            throw new IllegalStateException("expected the ten that lead, read from the leaderboard; found " + answer);
        }
    }

    /**
     * The buckets of one day of a ranked dataset; each label is a referrer and one of its URLs. As there are many, items are
     * created when they are read.
     */
    record RankedItems(int referrers) {

        private static final int URLS = 100;
        static final String RANKED = "ranked";
        static final String RANGE = "from=2026-11-20T00:00:00Z&to=2026-11-21T00:00:00Z";

        private static final Instant DAY = Instant.parse("2026-11-20T00:00:00Z");
        private static final int SCATTER_WIDTH = 10;
        private static final Rank RANK = new Rank("events", List.of(), 4, List.of(Granularity.DAY));
        static final String DATASET = Events.dataset(RANKED, List.of("referrer", "url"), List.of("day"), SCATTER_WIDTH,
                ", rank: [{by: events, width: 4}]");

        /** Distance between labels of successive ranks; a prime, so that each label occurs once. */
        private static final int STEP = 7_919;
        /** More items than any list shows. */
        private static final int LISTED = 100;

        int labels() {
            return referrers * URLS;
        }

        private static String referrer(int number) {
            // Numbers of equal length, so that labels sort by number.
            return "https://referrer-" + (100_000 + number) + ".example.org/";
        }

        private int label(int rank) {
            return (int) ((long) rank * STEP % labels());
        }

        /** Records what queries read: the leaderboard, its leading items, and the mark that it is complete. */
        void recordTo(DynamoDbServer table) {
            Map<String, List<Integer>> leaderboard = new HashMap<>();
            for (int rank = 0; rank < labels(); rank++) {
                leaderboard.computeIfAbsent(rankPartition(key(label(rank))), shard -> new ArrayList<>()).add(rank);
            }
            leaderboard.forEach((shard, all) -> table.record(shard, all.size(), i -> entry(all.get(i))));
            IntStream.range(0, LISTED).forEach(rank -> table.table().items()
                    .put(new ItemKey(key(label(rank)).series().partitionKey(), key(label(rank)).sortKey()), item(rank)));
            table.table().items().put(new ItemKey(TableSchema.DATASETS_PK, TableSchema.DATASETS_SK),
                    JsonNodeFactory.instance.objectNode()
                            .set(TableSchema.rankedAttribute(RANKED), Values.text(RANK.text())));
        }

        /** Returns the event counts of the leading labels. */
        List<Long> top(int count) {
            return IntStream.range(0, count).mapToObj(this::events).toList();
        }

        private long events(int rank) {
            return 1L + labels() / (1 + rank);
        }

        private static BucketKey key(int label) {
            return new BucketKey(new SeriesKey("default", RANKED,
                    new Label(List.of(referrer(label / URLS), "/page-" + label % URLS / 10 + label % 10)), 2, 0),
                    Granularity.DAY, DAY);
        }

        private static String rankPartition(BucketKey key) {
            return RankKey.of(key, RANK.within().size(), RANK.width());
        }

        /** Returns the attributes of an item in the table and in the scatter index. */
        private ObjectNode item(int rank) {
            BucketKey key = key(label(rank));
            ObjectNode item = entry(rank);
            item.set(TableSchema.INDEX_PK,
                    Values.text(key.indexPartitionKey(Murmur3.bounded(key.indexSortKey(), SCATTER_WIDTH))));
            item.set(TableSchema.INDEX_SK, Values.text(key.indexSortKey()));
            item.set(MeasurePart.VALUE.attribute("bytes"), Values.number(1_000 + rank));
            return item.set(TableSchema.lanePosition(0), Values.number(123_456));
        }

        /** Returns the attributes of an item in a leaderboard's index, which holds only keys. */
        private ObjectNode entry(int rank) {
            BucketKey key = key(label(rank));
            ObjectNode item = JsonNodeFactory.instance.objectNode();
            item.set(TableSchema.PK, Values.text(key.series().partitionKey()));
            item.set(TableSchema.SK, Values.text(key.sortKey()));
            item.set(TableSchema.rankAttribute(RANK.by()), Values.text(rankPartition(key)));
            return item.set(MeasurePart.VALUE.attribute(RANK.by()), Values.number(events(rank)));
        }
    }
}
