package dev.windrow.bench.experiment;

import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import java.util.stream.IntStream;

import dev.windrow.bench.process.Child;
import dev.windrow.bench.server.DynamoDbServer;
import dev.windrow.key.BucketKey;
import dev.windrow.key.Label;
import dev.windrow.key.SeriesKey;
import dev.windrow.scatter.Murmur3;
import dev.windrow.time.Granularity;

/** A table with one dataset for each width, a server that answers in 4 ms, and a gatherer in front of it. */
final class GatherStage implements AutoCloseable {

    private static final Duration SERVER_LATENCY = Duration.ofMillis(4);
    private static final Instant FROM = Instant.parse("2026-11-20T10:00:00Z");
    private static final Instant TO = FROM.plus(Duration.ofHours(1));
    private static final int MINUTES = 60;

    private final DynamoDbServer dynamoDb;
    private final Child gatherer;
    private final int port = Lab.freePort();

    GatherStage(Lab lab, List<Integer> widths) {
        this(lab, widths, List.of());
    }

    GatherStage(Lab lab, List<Integer> widths, List<String> properties) {
        dynamoDb = DynamoDbServer.start(lab.vertx());
        widths.forEach(this::record);
        dynamoDb.setLatency(() -> SERVER_LATENCY);
        List<String> all = new ArrayList<>(properties);
        all.add(new DatasetFile(widths, List.of("minute")).property(lab.work()));
        all.add("-Dquarkus.dynamodb.endpoint-override=" + dynamoDb.endpoint());
        all.add("-Dwindrow.gather.fanout.cache.enabled=false");
        gatherer = lab.service("gatherer", Service.GATHERER, port, all);
    }

    /** Enough items for a page of 1,000 in all, at most 10 a shard. */
    static int itemsOfEach(int width) {
        return Math.max(1, Math.min(10, 1_000 / width));
    }

    /** Items of labels that the hash puts into these shards, with the attributes that every way of gathering reads. */
    private void record(int width) {
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
            dynamoDb.record(shards.get(shard).get(0).indexPartitionKey(shard), shards.get(shard).stream()
                    .map(BucketKey::indexSortKey).sorted().map(GatherStage::item).toList());
        }
    }

    private static String item(String indexSortKey) {
        int number = Math.abs(indexSortKey.hashCode() % 1_000);
        return "{\"isk\":{\"S\":\"" + indexSortKey + "\"},\"m_events\":{\"N\":\"" + (number + 1) + "\"},\"m_bytes\":{\"N\":\""
                + 1_000 * number + "\"}}";
    }

    /** The arguments of the baselines that read the same. */
    List<String> baselineArguments(int width, int concurrency) {
        return List.of(dynamoDb.endpoint().toString(), DatasetFile.name(width), FROM.toString(), TO.toString(),
                Integer.toString(width), "1000", Integer.toString(concurrency));
    }

    URI buckets(int width) {
        return uri(width, "buckets?granularity=minute&limit=1000");
    }

    URI top(int width) {
        return uri(width, "top?by=events&n=10");
    }

    private URI uri(int width, String query) {
        return URI.create("http://127.0.0.1:" + port + "/api/v1/datasets/" + DatasetFile.name(width) + "/" + query + "&from="
                + FROM + "&to=" + TO);
    }

    /** The gatherer over HTTP; each round has a connection of its own, as idle ones are closed. */
    GatherWay way(String name, URI address, int gathers) {
        return GatherWay.of(name, gatherer, gathers, times -> {
            try (RawHttp http = new RawHttp(address.getPort())) {
                return IntStream.range(0, times).mapToObj(i -> http.micros(address)).toList();
            }
        });
    }

    Child gatherer() {
        return gatherer;
    }

    long queries() {
        return dynamoDb.meter().read().requests().getOrDefault("Query", 0L);
    }

    void setLatency(Supplier<Duration> latency) {
        dynamoDb.setLatency(latency);
    }

    @Override
    public void close() {
        gatherer.close();
        dynamoDb.close();
    }
}
