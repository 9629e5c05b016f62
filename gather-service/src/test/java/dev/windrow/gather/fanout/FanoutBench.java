package dev.windrow.gather.fanout;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;

import jakarta.inject.Inject;

import org.junit.jupiter.api.Test;

import dev.windrow.dataset.Dataset;
import dev.windrow.dataset.Dedupe;
import dev.windrow.dataset.DeliveryGuarantee;
import dev.windrow.gather.fanout.dynamo.SdkShardReader;
import dev.windrow.gather.query.BucketsQuery;
import dev.windrow.gather.query.DatasetScope;
import dev.windrow.gather.query.IndexPlanner;
import dev.windrow.gather.query.Operation;
import dev.windrow.gather.query.PageSizes;
import dev.windrow.gather.query.Parameters;
import dev.windrow.gather.query.QueryContext;
import dev.windrow.gather.query.QueryLimits;
import dev.windrow.gather.query.QueryOptions;
import dev.windrow.gather.query.QueryPlan;
import dev.windrow.gather.query.TimeRange;
import dev.windrow.gather.testing.Aggregated;
import dev.windrow.gather.testing.EmbeddedTable;
import dev.windrow.key.Label;
import dev.windrow.measure.Measure;
import dev.windrow.measure.MeasureKind;
import dev.windrow.scatter.Scatter;
import dev.windrow.table.TableSchema;
import dev.windrow.time.Granularity;
import io.quarkus.runtime.configuration.DurationConverter;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.junit.QuarkusTest;
import io.smallrye.config.PropertiesConfigSource;
import io.smallrye.config.SmallRyeConfigBuilder;
import io.smallrye.mutiny.Uni;
import io.smallrye.mutiny.infrastructure.Infrastructure;
import io.vertx.core.Vertx;
import software.amazon.awssdk.services.dynamodb.DynamoDbAsyncClient;
import software.amazon.awssdk.services.dynamodb.model.QueryResponse;

/**
 * Measures the fan-out. Runs only when named ({@code -Dtest=FanoutBench}) and asserts nothing about time.
 * <p>
 * Overhead: a gather, by either reader of the table, against a bare fan-out of the SDK with the same queries of the same
 * shards at the same time, but no merge. They take turns in one process, so that the machine's other work troubles both alike;
 * only ratios mean
 * anything.
 * <p>
 * Hedging: answers of 100 shards, of which one at random is 20 times slower, with hedges and without.
 */
@QuarkusTest
@QuarkusTestResource(EmbeddedTable.class)
class FanoutBench {

    private static final int ROUNDS = 300;
    private static final int WARM_UP = 100;
    private static final int LIMIT = 1_000;
    private static final Instant DAY = Instant.parse("2026-11-20T00:00:00Z");

    @Inject
    DynamoDbAsyncClient client;

    @Inject
    Vertx vertx;

    @Inject
    GatherMetrics metrics;

    /** Runs for 10 and 100 shards and prints medians and their ratio. */
    @Test
    void overheadOfAGatherOverBareQueries() {
        for (int width : new int[] { 10, 100 }) {
            compare(width);
        }
    }

    /** Prints the 99th percentile of all-normal, one-slow and one-slow-hedged answers, and the share of extra reads. */
    @Test
    void hedgingOfOneSlowShardInAHundred() {
        long normal = percentile99(new SlowShards(0), false);
        long slow = percentile99(new SlowShards(20), false);
        SlowShards shards = new SlowShards(20);
        long hedged = percentile99(shards, true);
        System.out.printf("p99: normal %.1f ms, one slow %.1f ms, hedged %.1f ms, ratio %.2f, extra reads %.2f %%%n",
                normal / 1e6, slow / 1e6, hedged / 1e6, (double) hedged / normal,
                100.0 * (shards.reads.get() - 100L * (ROUNDS + WARM_UP)) / (100L * (ROUNDS + WARM_UP)));
    }

    private static long percentile99(SlowShards shards, boolean hedge) {
        ShardReader reader = hedge
                ? new HedgedShardReader(shards, new HedgeBudget(0.05), new LatencyQuantile(0.95, Duration.ofMillis(5)),
                        System::nanoTime, () -> {
                        })
                : shards;
        Gatherer gatherer = new Gatherer(reader, new FanoutLimits(128, 8, 8, 8, Duration.ofSeconds(30), 20_000),
                Clock.systemUTC(), Infrastructure.getDefaultWorkerPool());
        long[] nanos = new long[ROUNDS];
        for (int round = -WARM_UP; round < ROUNDS; round++) {
            shards.next();
            long start = System.nanoTime();
            gatherer.list(new FakeShards(100, 1).request(Long.MAX_VALUE, true)).await().atMost(Duration.ofSeconds(30));
            if (round >= 0) {
                nanos[round] = System.nanoTime() - start;
            }
        }
        Arrays.sort(nanos);
        return nanos[ROUNDS * 99 / 100];
    }

    /** A hundred shards that take 10 to 20 ms, but one, drawn for each answer, so many times as long at first asking. */
    private static final class SlowShards implements ShardReader {
        private final SplittableRandom random = new SplittableRandom(7);
        private final AtomicInteger reads = new AtomicInteger();
        private final int factor;
        private final AtomicInteger slow = new AtomicInteger(-1);

        SlowShards(int factor) {
            this.factor = factor;
        }

        synchronized void next() {
            slow.set(factor > 0 ? random.nextInt(100) : -1);
        }

        private synchronized int millis() {
            return 10 + random.nextInt(11);
        }

        @Override
        public Uni<ShardPage> read(Read read) {
            return Uni.createFrom().deferred(() -> {
                reads.incrementAndGet();
                boolean isSlow = slow.compareAndSet(read.query().shard(), -1);
                return Uni.createFrom().item(new ShardPage(List.of(), Optional.empty(), 0, 0.5))
                        .onItem().delayIt().by(Duration.ofMillis((long) millis() * (isSlow ? factor : 1)));
            });
        }
    }

    private void compare(int width) {
        Dataset dataset = new Dataset("clicks" + width, "click", List.of("referrer"), List.of(Granularity.MINUTE),
                List.of(Granularity.MINUTE), 1, List.of(new Measure("events", MeasureKind.COUNT, null)),
                Scatter.hash(width), DeliveryGuarantee.AT_LEAST_ONCE, Dedupe.MESSAGE);
        Aggregated items = new Aggregated("default", dataset, new SplittableRandom(1));
        for (int i = 0; i < 2 * LIMIT; i++) {
            items.event(Label.of("https://example.org/" + i % 20), DAY.plusSeconds(60L * (i / 20)), "1");
        }
        items.writeTo(client, TableSchema.TABLE);
        DatasetScope scope = new DatasetScope("default", dataset);
        QueryPlan plan = new IndexPlanner(scope, Granularity.MINUTE, Optional.empty())
                .plan(new TimeRange(DAY, DAY.plusSeconds(86_400)), false, Optional.empty());
        SdkShardReader sdk = new SdkShardReader(client, TableSchema.TABLE, Duration.ofSeconds(10));
        GatherRequest request = new GatherRequest(scope, plan, Optional.empty(), GatherRequest.Order.ASCENDING, LIMIT,
                options(scope));
        int pageSize = new PageSizes(20_000).pageSize(width, LIMIT);
        Map<String, Runnable> ways = new LinkedHashMap<>();
        ways.put("bare", () -> bare(client, plan, sdk, dataset, pageSize));
        for (FanoutConfig.Reader reader : FanoutConfig.Reader.values()) {
            Gatherer gatherer = gatherer(reader);
            ways.put("gather, " + reader, () -> gatherer.list(request).await().atMost(Duration.ofSeconds(30)));
        }
        Map<String, long[]> nanos = new LinkedHashMap<>();
        for (int round = -WARM_UP; round < ROUNDS; round++) {
            for (Map.Entry<String, Runnable> way : ways.entrySet()) {
                long start = System.nanoTime();
                way.getValue().run();
                if (round >= 0) {
                    nanos.computeIfAbsent(way.getKey(), name -> new long[ROUNDS])[round] = System.nanoTime() - start;
                }
            }
        }
        double bare = median(nanos.getOrDefault("bare", new long[ROUNDS]));
        nanos.forEach((way, took) -> System.out.printf("%d shards, %s: %.2f ms, ratio %.3f%n", width, way,
                median(took) / 1e6, median(took) / bare));
    }

    /** As in the service, but for the cache. */
    private Gatherer gatherer(FanoutConfig.Reader reader) {
        FanoutConfig config = new SmallRyeConfigBuilder().addDefaultInterceptors()
                .withSources(new PropertiesConfigSource(Map.of("windrow.gather.fanout.reader", reader.name()), "bench", 100))
                .withConverter(Duration.class, 200, new DurationConverter()).withMapping(FanoutConfig.class).build()
                .getConfigMapping(FanoutConfig.class);
        ShardReader bounded = FanoutProducer.bounded(FanoutProducer.table(client, config, Clock.systemUTC(), vertx), config,
                new FanoutProducer.ReadPermits(new AsyncPermits(config.maxReads(), config.maxReads(), "reads")), metrics);
        return new Gatherer(bounded, new FanoutLimits(128, 8, 8, 8, Duration.ofSeconds(30), 20_000),
                Clock.systemUTC(), Infrastructure.getDefaultWorkerPool());
    }

    private static QueryOptions options(DatasetScope scope) {
        QueryContext context = new QueryContext(new QueryLimits(LIMIT, LIMIT, LIMIT, LIMIT, Duration.ofHours(1),
                Duration.ofSeconds(30), Duration.ofSeconds(30)), DAY);
        return BucketsQuery
                .of(scope, Parameters.of(Operation.BUCKETS, Map.of()), context).options();
    }

    private static void bare(DynamoDbAsyncClient client, QueryPlan plan, SdkShardReader reader, Dataset dataset,
            int pageSize) {
        List<CompletableFuture<QueryResponse>> answers = plan.stages().get(0).shards().stream()
                .map(shard -> client
                        .query(reader.request(new ShardReader.Read(dataset, shard, Optional.empty(), pageSize))))
                .toList();
        CompletableFuture.allOf(answers.toArray(CompletableFuture[]::new)).join();
        long items = answers.stream().mapToLong(answer -> answer.join().count()).sum();
        if (items < LIMIT) {
            throw new IllegalStateException("expected " + LIMIT + " items, found " + items);
        }
    }

    private static long median(long[] nanos) {
        long[] sorted = nanos.clone();
        Arrays.sort(sorted);
        return sorted[sorted.length / 2];
    }
}
