package dev.windrow.gather.fanout;

import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletionException;
import java.util.stream.Collectors;

import dev.windrow.gather.fanout.ShardPage.Position;
import dev.windrow.gather.query.ShardQuery;
import dev.windrow.gather.query.ShardQuery.Source;
import dev.windrow.reason.Reason;
import dev.windrow.table.TableSchema;
import io.smallrye.mutiny.Uni;
import software.amazon.awssdk.awscore.AwsRequestOverrideConfiguration;
import software.amazon.awssdk.core.exception.ApiCallAttemptTimeoutException;
import software.amazon.awssdk.core.exception.ApiCallTimeoutException;
import software.amazon.awssdk.core.exception.SdkClientException;
import software.amazon.awssdk.services.dynamodb.DynamoDbAsyncClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.DynamoDbException;
import software.amazon.awssdk.services.dynamodb.model.QueryRequest;
import software.amazon.awssdk.services.dynamodb.model.QueryResponse;
import software.amazon.awssdk.services.dynamodb.model.ReturnConsumedCapacity;

/** Reads shards of the table or its index with DynamoDB's Query. One request a page; never retries. */
public final class DynamoShardReader implements ShardReader {

    private final DynamoDbAsyncClient client;
    private final String table;

    private final AwsRequestOverrideConfiguration once;

    /**
     * @param timeout how long the answer may take. The SDK does not pass a cancellation on to the connection, so a read that
     *        was given up keeps its connection until the server answers or closes it.
     */
    public DynamoShardReader(DynamoDbAsyncClient client, String table, Duration timeout) {
        this.client = client;
        this.table = table;
        this.once = AwsRequestOverrideConfiguration.builder().apiCallTimeout(timeout)
                .apiCallAttemptTimeout(timeout).build();
    }

    @Override
    public Uni<ShardPage> read(Read read) {
        ItemDecoder decoder = new ItemDecoder(read.dataset().measures(), read.query().source());
        return Uni.createFrom().completionStage(() -> client.query(request(read, decoder)))
                .onItem().transform(response -> page(response, decoder))
                .onFailure().transform(DynamoShardReader::told);
    }

    /** The request for a page. */
    QueryRequest request(Read read) {
        return request(read, new ItemDecoder(read.dataset().measures(), read.query().source()));
    }

    private QueryRequest request(Read read, ItemDecoder decoder) {
        ShardQuery query = read.query();
        boolean index = query.source() == Source.INDEX;
        Map<String, AttributeValue> values = new HashMap<>();
        values.put(":p", AttributeValue.fromS(query.partitionKey()));
        values.put(":from", AttributeValue.fromS(query.fromKey()));
        values.put(":to", AttributeValue.fromS(query.toKey()));
        query.filter().ifPresent(filter -> values.put(":filter", AttributeValue.fromS(filter)));
        List<String> attributes = decoder.attributes();
        Map<String, String> names = new HashMap<>();
        for (int i = 0; i < attributes.size(); i++) {
            names.put("#" + i, attributes.get(i));
        }
        // The first attribute is the sort key, so the condition can share its name.
        return QueryRequest.builder()
                .overrideConfiguration(once)
                .tableName(table)
                .indexName(index ? TableSchema.INDEX : null)
                .keyConditionExpression((index ? TableSchema.INDEX_PK : TableSchema.PK) + " = :p AND #0 BETWEEN :from AND :to")
                .filterExpression(query.filter().map(filter -> "begins_with(" + TableSchema.PK + ", :filter)").orElse(null))
                .projectionExpression(String.join(",", names.keySet()))
                .expressionAttributeNames(names)
                .expressionAttributeValues(values)
                .exclusiveStartKey(read.after().map(DynamoShardReader::startKey).orElse(null))
                .scanIndexForward(!query.descending())
                .consistentRead(query.consistent())
                .limit(read.limit())
                .returnConsumedCapacity(ReturnConsumedCapacity.TOTAL)
                .build();
    }

    private static Map<String, AttributeValue> startKey(Position after) {
        return after.key().entrySet().stream()
                .collect(Collectors.toMap(Map.Entry::getKey, entry -> AttributeValue.fromS(entry.getValue())));
    }

    private static ShardPage page(QueryResponse response, ItemDecoder decoder) {
        Optional<Position> next = response.hasLastEvaluatedKey() && !response.lastEvaluatedKey().isEmpty()
                ? Optional.of(new Position(response.lastEvaluatedKey().entrySet().stream()
                        .collect(Collectors.toMap(Map.Entry::getKey, entry -> entry.getValue().s()))))
                : Optional.empty();
        double readUnits = response.consumedCapacity() == null || response.consumedCapacity().capacityUnits() == null
                ? 0
                : response.consumedCapacity().capacityUnits();
        return new ShardPage(response.items().stream().map(decoder::decode).toList(), next,
                response.scannedCount() == null ? response.items().size() : response.scannedCount(), readUnits);
    }

    private static Throwable told(Throwable failure) {
        Throwable cause = failure instanceof CompletionException && failure.getCause() != null
                ? failure.getCause()
                : failure;
        if (cause instanceof DynamoDbException answered) {
            if (answered.isThrottlingException()) {
                return new GatherException(Reason.THROTTLED, answered);
            }
            return new GatherException(answered.statusCode() >= 500 ? Reason.UNAVAILABLE : Reason.REFUSED, answered);
        }
        if (cause instanceof ApiCallTimeoutException || cause instanceof ApiCallAttemptTimeoutException) {
            return new GatherException(Reason.TIMED_OUT, cause);
        }
        return cause instanceof SdkClientException ? new GatherException(Reason.UNAVAILABLE, cause) : cause;
    }
}
