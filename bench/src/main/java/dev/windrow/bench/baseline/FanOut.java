package dev.windrow.bench.baseline;

import java.io.IOException;
import java.net.URI;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicLong;

import software.amazon.awssdk.services.dynamodb.DynamoDbAsyncClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.QueryRequest;
import software.amazon.awssdk.services.dynamodb.model.QueryResponse;

/**
 * The bare SDK fan-out: the same queries as the gatherer's at a given concurrency, no merge, no JSON. With concurrency 1
 * it is the sequential loop. Answers {@code run N} with the latencies of N gathers, one after the other, in microseconds.
 */
public final class FanOut {

    private final DynamoDbAsyncClient client;
    private final GatherShape shape;
    private final int concurrency;

    private FanOut(DynamoDbAsyncClient client, GatherShape shape, int concurrency) {
        this.client = client;
        this.shape = shape;
        this.concurrency = concurrency;
    }

    /** @param args DynamoDB endpoint, dataset, from, to, shards, limit of each, concurrency */
    public static void main(String[] args) throws IOException {
        int concurrency = Integer.parseInt(args[6]);
        FanOut fanOut = new FanOut(Settings.dynamoDb(URI.create(args[0]), concurrency), GatherShape.of(args), concurrency);
        Tethered.gather(fanOut::gather);
    }

    private long gather() {
        Semaphore permits = new Semaphore(concurrency);
        AtomicLong items = new AtomicLong();
        CompletableFuture<?>[] all = new CompletableFuture<?>[shape.shards()];
        for (int shard = 0; shard < shape.shards(); shard++) {
            permits.acquireUninterruptibly();
            CompletableFuture<QueryResponse> query = client.query(request(shard));
            all[shard] = query.whenComplete((answer, failure) -> {
                permits.release();
                if (answer != null) {
                    items.addAndGet(answer.items().size());
                }
            });
        }
        CompletableFuture.allOf(all).join();
        return items.get();
    }

    private QueryRequest request(int shard) {
        return QueryRequest.builder().tableName("windrow").indexName("scatter")
                .keyConditionExpression("ipk = :p AND #0 BETWEEN :from AND :to")
                .projectionExpression("#0,#1,#2")
                .expressionAttributeNames(Map.of("#0", "isk", "#1", "m_events", "#2", "m_bytes"))
                .expressionAttributeValues(Map.of(":p", AttributeValue.fromS(shape.partition(shard)), ":from",
                        AttributeValue.fromS(shape.from()), ":to", AttributeValue.fromS(shape.to())))
                .limit(shape.limit()).build();
    }
}
