package dev.windrow.bench.experiment;

import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;

import dev.windrow.bench.server.DynamoDbServer;
import dev.windrow.bench.server.Values;
import dev.windrow.scatter.Murmur3;
import dev.windrow.table.BucketKey;
import dev.windrow.table.Label;
import dev.windrow.table.SeriesKey;
import dev.windrow.table.TableSchema;
import dev.windrow.time.Granularity;

/** A table with recorded items, a server that answers in 4 ms, and a gatherer in front of it. */
final class GatherStage implements AutoCloseable {

    private static final Duration SERVER_LATENCY = Duration.ofMillis(4);
    private static final Instant FROM = Instant.parse("2026-11-20T10:00:00Z");
    private static final Instant TO = FROM.plus(Duration.ofHours(1));
    private static final int MINUTES = 60;
    private static final int WIDTH = 100;
    private static final int ITEMS_OF_EACH = 10;
    /** Concurrent reads of the gatherer, and of a baseline for all its clients together. */
    private static final int CONCURRENCY = 128;

    private final DynamoDbServer dynamoDb;
    private final Child gatherer;

    GatherStage(Lab lab, DynamoDbServer dynamoDb, String dataset) {
        this.dynamoDb = dynamoDb;
        dynamoDb.setLatency(() -> SERVER_LATENCY);
        this.gatherer = lab.service("gatherer", Lab.GATHERER, List.of(lab.datasets(dataset),
                "-Dquarkus.dynamodb.endpoint-override=" + dynamoDb.endpoint(), "-Dquarkus.cache.enabled=false"));
    }

    /** Creates a stage with a dataset of minutes in 100 shards. */
    static GatherStage ofClicks(Lab lab) {
        DynamoDbServer dynamoDb = new DynamoDbServer(lab.vertx());
        record(dynamoDb);
        return new GatherStage(lab, dynamoDb, Events.dataset(WIDTH, List.of("minute")));
    }

    /** Records ten items per shard, whose labels hash to it, with the attributes that every way of gathering reads. */
    private static void record(DynamoDbServer dynamoDb) {
        List<List<BucketKey>> shards = IntStream.range(0, WIDTH).<List<BucketKey>> mapToObj(i -> new ArrayList<>()).toList();
        int missing = WIDTH * ITEMS_OF_EACH;
        for (int n = 0; missing > 0; n++) {
            BucketKey key = new BucketKey(new SeriesKey("default", Events.name(WIDTH),
                    new Label(List.of("https://referrer-" + n + ".example.org/")), 0), Granularity.MINUTE,
                    FROM.plus(Duration.ofMinutes(n % MINUTES)));
            List<BucketKey> shard = shards.get(Murmur3.bounded(key.indexSortKey(), WIDTH));
            if (shard.size() < ITEMS_OF_EACH) {
                shard.add(key);
                missing--;
            }
        }
        for (int shard = 0; shard < WIDTH; shard++) {
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

    /** Returns the arguments with which baselines read the same items. */
    List<String> baselineArguments() {
        return List.of(dynamoDb.endpoint().toString(), Events.name(WIDTH), FROM.toString(), TO.toString(),
                Integer.toString(WIDTH), "1000", Integer.toString(Math.min(CONCURRENCY, WIDTH)));
    }

    static String buckets() {
        return question(Events.name(WIDTH), "buckets?granularity=minute&limit=1000&from=" + FROM + "&to=" + TO);
    }

    static String question(String dataset, String query) {
        return "/api/v1/datasets/" + dataset + "/" + query;
    }

    URI uri(String question) {
        return gatherer.uri(question);
    }

    /** Returns the way through the gatherer over HTTP. */
    GatherWay way(String name, String question) {
        URI address = gatherer.uri(question);
        return GatherWay.of(name, gatherer, (times, clients) -> IntStream.range(0, clients)
                .mapToObj(client -> CompletableFuture.supplyAsync(
                        () -> IntStream.range(0, times / clients).mapToObj(i -> Http.micros(address)).toList(),
                        running -> new Thread(running, "client").start()))
                .toList().stream().flatMap(running -> running.join().stream()).toList());
    }

    @Override
    public void close() {
        gatherer.close();
        dynamoDb.close();
    }
}
