package dev.windrow.gather.bench;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;

import dev.windrow.dataset.Dataset;
import dev.windrow.dataset.Dedupe;
import dev.windrow.dataset.Delivery;
import dev.windrow.gather.fanout.DynamoShardReader;
import dev.windrow.gather.fanout.FanoutBounds;
import dev.windrow.gather.fanout.GatherRequest;
import dev.windrow.gather.fanout.Gatherer;
import dev.windrow.gather.fixture.Aggregated;
import dev.windrow.gather.query.BucketsQuery;
import dev.windrow.gather.query.IndexPlanner;
import dev.windrow.gather.query.Operation;
import dev.windrow.gather.query.PageSizes;
import dev.windrow.gather.query.Parameters;
import dev.windrow.gather.query.Plan;
import dev.windrow.gather.query.QueryContext;
import dev.windrow.gather.query.QueryLimits;
import dev.windrow.gather.query.ReadOptions;
import dev.windrow.gather.query.Scope;
import dev.windrow.gather.query.ShardQuery;
import dev.windrow.gather.query.TimeRange;
import dev.windrow.key.Label;
import dev.windrow.local.LocalAws;
import dev.windrow.local.LocalAwsOptions;
import dev.windrow.measure.Measure;
import dev.windrow.measure.MeasureKind;
import dev.windrow.scatter.Scatter;
import dev.windrow.table.TableSchema;
import dev.windrow.time.Granularity;
import software.amazon.awssdk.services.dynamodb.DynamoDbAsyncClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.QueryRequest;
import software.amazon.awssdk.services.dynamodb.model.QueryResponse;

/**
 * Compares a gather with a bare fan-out of the SDK: the same queries of the same shards at the same time, no merge. Both
 * take turns in one process, so that the machine's other work troubles both alike; only the ratio means anything.
 */
final class FanoutOverhead {

    private static final int ROUNDS = 300;
    private static final int WARM_UP = 100;
    private static final int LIMIT = 1_000;
    private static final Instant DAY = Instant.parse("2026-11-20T00:00:00Z");

    private FanoutOverhead() {
    }

    /** Runs for 10 and 100 shards and prints medians and their ratio. */
    public static void main(String[] args) {
        try (LocalAws localAws = LocalAws.start(LocalAwsOptions.forTests())) {
            for (int width : new int[] { 10, 100 }) {
                compare(localAws.dynamoDb(), width);
            }
        }
    }

    private static void compare(DynamoDbAsyncClient client, int width) {
        Dataset dataset = new Dataset("clicks" + width, "click", List.of("referrer"), List.of(Granularity.MINUTE),
                List.of(Granularity.MINUTE), 1, List.of(new Measure("events", MeasureKind.COUNT, null)),
                Scatter.hash(width), Delivery.AT_LEAST_ONCE, Dedupe.MESSAGE);
        Aggregated items = new Aggregated("default", dataset, new SplittableRandom(1));
        for (int i = 0; i < 2 * LIMIT; i++) {
            items.event(Label.of("https://example.org/" + i % 20), DAY.plusSeconds(60L * (i / 20)), "1");
        }
        items.writeTo(client, TableSchema.TABLE);
        Scope scope = new Scope("default", dataset);
        Plan plan = new IndexPlanner(scope, Granularity.MINUTE, Optional.empty())
                .plan(new TimeRange(DAY, DAY.plusSeconds(86_400)), false, Optional.empty());
        Gatherer gatherer = new Gatherer(
                new DynamoShardReader(client, TableSchema.TABLE, Duration.ofSeconds(10)),
                new FanoutBounds(128, 8, 8, 20_000), Clock.systemUTC());
        GatherRequest request = new GatherRequest(scope, plan, Optional.empty(), GatherRequest.Order.ASCENDING, LIMIT,
                options(scope));
        int pageSize = new PageSizes(20_000).pageSize(width, LIMIT);
        long[] bare = new long[ROUNDS];
        long[] gathered = new long[ROUNDS];
        for (int round = -WARM_UP; round < ROUNDS; round++) {
            long start = System.nanoTime();
            bare(client, plan, pageSize);
            long between = System.nanoTime();
            gatherer.list(request).await().atMost(Duration.ofSeconds(30));
            if (round >= 0) {
                bare[round] = between - start;
                gathered[round] = System.nanoTime() - between;
            }
        }
        System.out.printf("%d shards: bare %.2f ms, gather %.2f ms, ratio %.3f%n", width, median(bare) / 1e6,
                median(gathered) / 1e6, (double) median(gathered) / median(bare));
    }

    private static ReadOptions options(Scope scope) {
        QueryContext context = new QueryContext(new QueryLimits(LIMIT, LIMIT, LIMIT, LIMIT, Duration.ofHours(1),
                Duration.ofSeconds(30), Duration.ofSeconds(30)), DAY);
        return BucketsQuery
                .of(scope, Parameters.of(Operation.BUCKETS, Map.of()), context).options();
    }

    private static void bare(DynamoDbAsyncClient client, Plan plan, int pageSize) {
        List<CompletableFuture<QueryResponse>> answers = plan.stages().get(0).shards().stream()
                .map(shard -> client.query(query(shard, pageSize))).toList();
        CompletableFuture.allOf(answers.toArray(CompletableFuture[]::new)).join();
        long items = answers.stream().mapToLong(answer -> answer.join().count()).sum();
        if (items < LIMIT) {
            throw new IllegalStateException("expected " + LIMIT + " items, found " + items);
        }
    }

    private static QueryRequest query(ShardQuery shard, int pageSize) {
        return QueryRequest.builder().tableName(TableSchema.TABLE).indexName(TableSchema.INDEX)
                .keyConditionExpression(TableSchema.INDEX_PK + " = :p AND " + TableSchema.INDEX_SK + " BETWEEN :from AND :to")
                .expressionAttributeValues(Map.of(":p", AttributeValue.fromS(shard.partitionKey()), ":from",
                        AttributeValue.fromS(shard.fromKey()), ":to", AttributeValue.fromS(shard.toKey())))
                .limit(pageSize).build();
    }

    private static long median(long[] nanos) {
        long[] sorted = nanos.clone();
        Arrays.sort(sorted);
        return sorted[sorted.length / 2];
    }
}
