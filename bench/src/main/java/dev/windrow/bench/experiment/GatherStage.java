package dev.windrow.bench.experiment;

import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import dev.windrow.bench.partition.Latency;
import dev.windrow.bench.process.Child;
import dev.windrow.bench.wire.DynamoDbServer;
import dev.windrow.key.BucketKey;
import dev.windrow.key.Label;
import dev.windrow.key.SeriesKey;
import dev.windrow.scatter.Murmur3;
import dev.windrow.time.Granularity;

/** A table with one dataset for each width, a server that answers in 4 ms, and a gatherer in front of it. */
final class GatherStage implements AutoCloseable {

    static final Duration SERVER_LATENCY = Duration.ofMillis(4);
    static final Instant FROM = Instant.parse("2026-11-20T10:00:00Z");
    static final Instant TO = FROM.plus(Duration.ofHours(1));
    private static final int MINUTES = 60;

    private final DynamoDbServer dynamoDb;
    private final Child gatherer;
    private final int port = Ports.free();

    GatherStage(Lab lab, Service service, List<Integer> widths) {
        DynamoDbServer.Options options = DynamoDbServer.Options.unlimited();
        dynamoDb = DynamoDbServer.start(lab.vertx(), options);
        for (int width : widths) {
            fill(width, itemsOfEach(width));
        }
        dynamoDb.setLatency(Latency.constant(SERVER_LATENCY));
        DatasetFile datasets = new DatasetFile(widths.stream().map(GatherStage::dataset).toList(), List.of("minute"), widths,
                "hash", "at-least-once", 1);
        gatherer = lab.service("gatherer-" + service.title(), service, port, List.of(datasets.property(lab.work()),
                "-Dquarkus.dynamodb.endpoint-override=" + dynamoDb.endpoint(), "-Dwindrow.gather.fanout.cache.enabled=false"));
        gatherer.awaitOk(Lab.ready(port), Duration.ofMillis(100));
    }

    static String dataset(int width) {
        return "clicks" + width;
    }

    /** Enough items for a page of 1,000 in all, at most 10 a shard. */
    static int itemsOfEach(int width) {
        return Math.max(1, Math.min(10, 1_000 / width));
    }

    private void fill(int width, int itemsOfEach) {
        int[] items = new int[width];
        int full = 0;
        for (int n = 0; full < width; n++) {
            BucketKey key = new BucketKey(new SeriesKey("default", dataset(width),
                    new Label(List.of("https://referrer-" + n + ".example.org/")), 0), Granularity.MINUTE,
                    FROM.plus(Duration.ofMinutes(n % MINUTES)));
            int shard = Murmur3.bounded(key.indexSortKey(), width);
            if (items[shard] < itemsOfEach) {
                items[shard]++;
                full += items[shard] == itemsOfEach ? 1 : 0;
                dynamoDb.put(Map.of("pk", key.series().partitionKey(), "sk", key.sortKey(), "ipk",
                        key.indexPartitionKey(shard), "isk", key.indexSortKey()),
                        Map.of("m_events", Integer.toString(n + 1), "m_bytes", Integer.toString(1_000 * n)));
            }
        }
    }

    /** The arguments of the baselines that ask the same. */
    List<String> baselineArguments(int width, int concurrency) {
        return List.of(dynamoDb.endpoint().toString(), dataset(width), FROM.toString(), TO.toString(),
                Integer.toString(width), "1000", Integer.toString(concurrency));
    }

    URI buckets(int width) {
        return Lab.gather(port, dataset(width) + "/buckets?granularity=minute&from=" + FROM + "&to=" + TO + "&limit=1000");
    }

    URI top(int width) {
        return Lab.gather(port, dataset(width) + "/top?by=events&n=10&from=" + FROM + "&to=" + TO);
    }

    int port() {
        return port;
    }

    /** The gatherer over HTTP; each round has a connection of its own, as idle ones are closed. */
    GatherWay way(String name, URI address, int gathers) {
        return GatherWay.of(name, gatherer, gathers, times -> {
            try (RawHttp http = new RawHttp(port)) {
                return time(http, address, times);
            }
        });
    }

    Child gatherer() {
        return gatherer;
    }

    long queries() {
        return dynamoDb.meter().read().requests().getOrDefault("Query", 0L);
    }

    /** Microseconds of each of so many requests, one after the other. */
    static List<Double> time(RawHttp http, URI address, int times) {
        List<Double> micros = new ArrayList<>(times);
        for (int i = 0; i < times; i++) {
            long begin = System.nanoTime();
            http.get(address);
            micros.add((System.nanoTime() - begin) / 1e3);
        }
        return micros;
    }

    @Override
    public void close() {
        gatherer.close();
        dynamoDb.close();
    }
}
