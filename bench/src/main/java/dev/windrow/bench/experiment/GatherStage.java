package dev.windrow.bench.experiment;

import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;

import dev.windrow.bench.experiment.Lab.Http;
import dev.windrow.bench.experiment.Lab.Node;
import dev.windrow.bench.server.DynamoDbServer;
import dev.windrow.bench.table.Values;
import dev.windrow.dataset.Granularity;
import dev.windrow.dataset.Scatter.Murmur3;
import dev.windrow.table.BucketKey;
import dev.windrow.table.Label;
import dev.windrow.table.SeriesKey;
import dev.windrow.table.TableSchema;

/** A table with recorded items, a server that answers in 4 ms, and a gatherer in front of it. */
final class GatherStage implements AutoCloseable {

    private static final Duration SERVER_LATENCY = Duration.ofMillis(4);
    private static final Instant FROM = Instant.parse("2026-11-20T10:00:00Z");
    private static final Instant TO = FROM.plus(Duration.ofHours(1));
    private static final int MINUTES = 60;

    private final DynamoDbServer dynamoDb;
    private final Child gatherer;

    /** @param properties of the gatherer and its JVM */
    GatherStage(Lab lab, DynamoDbServer dynamoDb, DatasetFile datasets, List<String> properties) {
        this.dynamoDb = dynamoDb;
        dynamoDb.setLatency(() -> SERVER_LATENCY);
        List<String> all = new ArrayList<>(properties);
        all.add(datasets.property(lab.work()));
        all.add("-Dquarkus.dynamodb.endpoint-override=" + dynamoDb.endpoint());
        all.add("-Dwindrow.gather.fanout.cache.enabled=false");
        this.gatherer = lab.service("gatherer", Lab.GATHERER, all);
    }

    /** With a dataset of minutes for each width. */
    static GatherStage ofWidths(Lab lab, List<Integer> widths) {
        DynamoDbServer dynamoDb = new DynamoDbServer(lab.vertx());
        widths.forEach(width -> record(dynamoDb, width));
        return new GatherStage(lab, dynamoDb, DatasetFile.clicks(widths, List.of("minute")), List.of());
    }

    /** Enough items for a page of 1,000 in all, at most 10 a shard. */
    static int itemsOfEach(int width) {
        return Math.max(1, Math.min(10, 1_000 / width));
    }

    /** Items of labels that the hash puts into these shards, with the attributes that every way of gathering reads. */
    private static void record(DynamoDbServer dynamoDb, int width) {
        List<List<BucketKey>> shards = IntStream.range(0, width).<List<BucketKey>> mapToObj(i -> new ArrayList<>()).toList();
        int missing = width * itemsOfEach(width);
        for (int n = 0; missing > 0; n++) {
            BucketKey key = new BucketKey(new SeriesKey("default", DatasetFile.name(width),
                    new Label(List.of("https://referrer-" + n + ".example.org/")), 0), Granularity.MINUTE,
                    FROM.plus(Duration.ofMinutes(n % MINUTES)));
            List<BucketKey> shard = shards.get(Murmur3.bounded(key.indexSortKey(), width));
            if (shard.size() < itemsOfEach(width)) {
                shard.add(key);
                missing--;
            }
        }
        for (int shard = 0; shard < width; shard++) {
            List<String> keys = shards.get(shard).stream().map(BucketKey::indexSortKey).sorted().toList();
            dynamoDb.record(shards.get(shard).get(0).indexPartitionKey(shard), keys.size(), i -> item(keys.get(i)));
        }
    }

    private static ObjectNode item(String indexSortKey) {
        int number = Math.abs(indexSortKey.hashCode() % 1_000);
        ObjectNode item = JsonNodeFactory.instance.objectNode();
        item.set(TableSchema.INDEX_SK, Values.text(indexSortKey));
        item.set("m_events", Values.number(number + 1));
        return item.set("m_bytes", Values.number(1_000L * number));
    }

    /** The arguments of the baselines that read the same. */
    List<String> baselineArguments(int width, int concurrency) {
        return List.of(dynamoDb.endpoint().toString(), DatasetFile.name(width), FROM.toString(), TO.toString(),
                Integer.toString(width), "1000", Integer.toString(concurrency));
    }

    String buckets(int width) {
        return question(DatasetFile.name(width), "buckets?granularity=minute&limit=1000&from=" + FROM + "&to=" + TO);
    }

    String top(int width) {
        return question(DatasetFile.name(width), "top?by=events&n=10&from=" + FROM + "&to=" + TO);
    }

    static String question(String dataset, String query) {
        return "/api/v1/datasets/" + dataset + "/" + query;
    }

    URI uri(String question) {
        return gatherer.uri(question);
    }

    /** The gatherer over HTTP. */
    GatherWay way(String name, String question, int gathers) {
        URI address = gatherer.uri(question);
        return GatherWay.of(name, gatherer, gathers, (times, clients) -> IntStream.range(0, clients)
                .mapToObj(client -> CompletableFuture.supplyAsync(
                        () -> IntStream.range(0, times / clients).mapToObj(i -> Http.micros(address)).toList(),
                        running -> new Thread(running, "client").start()))
                .toList().stream().flatMap(running -> running.join().stream()).toList());
    }

    Child gatherer() {
        return gatherer;
    }

    DynamoDbServer dynamoDb() {
        return dynamoDb;
    }

    @Override
    public void close() {
        gatherer.close();
        dynamoDb.close();
    }

    /** The ways of gathering the same without the gatherer, started as processes. */
    static final class GatherBaselines implements AutoCloseable {

        static final String BUCKETS = "gatherer /buckets";
        static final String BARE = "bare SDK fan-out";
        static final String FLOOR = "floor";
        static final String TUNED = "Node.js sample, tuned";

        private static final int CONCURRENCY = 128;

        private final GatherStage stage;
        private final Map<String, GatherWay> ways = new LinkedHashMap<>();

        /**
         * With the gatherer as the first way.
         *
         * @param gathers of a round
         * @param few gathers of a round of the sample, which takes several times as long
         */
        GatherBaselines(Lab lab, GatherStage stage, int width, int gathers, int few) {
            this.stage = stage;
            List<String> arguments = stage.baselineArguments(width, Math.min(CONCURRENCY, width));
            add(stage.way(BUCKETS, stage.buckets(width), gathers));
            add(GatherWay.baseline(lab.baseline(BARE, "FanOut", arguments), gathers));
            add(GatherWay.baseline(lab.baseline(FLOOR, "Floor", arguments), gathers));
            Node.start(lab, TUNED, arguments).ifPresent(child -> add(GatherWay.baseline(child, few)));
        }

        void add(GatherWay way) {
            ways.put(way.name(), way);
        }

        Map<String, GatherWay> ways() {
            return ways;
        }

        GatherWay way(String name) {
            return Objects.requireNonNull(ways.get(name), name);
        }

        @Override
        public void close() {
            ways.values().stream().map(GatherWay::process).filter(process -> !process.equals(stage.gatherer()))
                    .forEach(Child::close);
        }
    }
}
