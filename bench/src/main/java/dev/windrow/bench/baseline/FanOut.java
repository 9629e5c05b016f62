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

/** The bare SDK fan-out: the gatherer's queries at a given concurrency, without merge or JSON. */
final class FanOut {

    private FanOut() {
    }

    /** The query of the gather baselines: the minutes of one dataset in a range, from every scatter shard. */
    record Shape(String dataset, String from, String to, int shards, int limit) {

        /** Reads the query from the arguments after the endpoint. */
        static Shape of(String[] args) {
            return new Shape(args[1], args[2], args[3], Integer.parseInt(args[4]), Integer.parseInt(args[5]));
        }

        String partition(int shard) {
            return "default#" + dataset + "#minute#" + shard;
        }

        QueryRequest request(int shard) {
            return QueryRequest.builder().tableName("windrow").indexName("scatter")
                    .keyConditionExpression("ipk = :p AND #0 BETWEEN :from AND :to")
                    .projectionExpression("#0,#1,#2")
                    .expressionAttributeNames(Map.of("#0", "isk", "#1", "m_events", "#2", "m_bytes"))
                    .expressionAttributeValues(Map.of(":p", AttributeValue.fromS(partition(shard)), ":from",
                            AttributeValue.fromS(from), ":to", AttributeValue.fromS(to)))
                    .limit(limit).build();
        }
    }

    /** @param args DynamoDB endpoint, dataset, from, to, shards, limit of each, concurrency */
    public static void main(String[] args) throws IOException {
        int concurrency = Integer.parseInt(args[6]);
        DynamoDbAsyncClient client = Tethered.dynamoDb(URI.create(args[0]), concurrency);
        Shape shape = Shape.of(args);
        Tethered.gather(clients -> () -> gather(client, shape, concurrency));
    }

    private static long gather(DynamoDbAsyncClient client, Shape shape, int concurrency) {
        Semaphore permits = new Semaphore(concurrency);
        AtomicLong items = new AtomicLong();
        CompletableFuture<?>[] all = new CompletableFuture<?>[shape.shards()];
        for (int shard = 0; shard < shape.shards(); shard++) {
            permits.acquireUninterruptibly();
            all[shard] = client.query(shape.request(shard)).whenComplete((answer, failure) -> {
                permits.release();
                if (answer != null) {
                    items.addAndGet(answer.items().size());
                }
            });
        }
        CompletableFuture.allOf(all).join();
        return items.get();
    }
}
