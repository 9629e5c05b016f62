package dev.windrow.gather.fanout.dynamo;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;

import org.jspecify.annotations.Nullable;

import dev.windrow.gather.fanout.ShardPage;
import dev.windrow.gather.fanout.ShardPage.Position;
import dev.windrow.gather.fanout.ShardReader;
import dev.windrow.gather.merge.ShardItem;
import io.smallrye.mutiny.Uni;
import software.amazon.awssdk.awscore.AwsRequestOverrideConfiguration;
import software.amazon.awssdk.services.dynamodb.DynamoDbAsyncClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.QueryRequest;
import software.amazon.awssdk.services.dynamodb.model.QueryResponse;
import software.amazon.awssdk.services.dynamodb.model.ReturnConsumedCapacity;

/** Reads shards through the AWS SDK, which knows every way to reach DynamoDB. One request a page; never retries. */
public final class SdkShardReader implements ShardReader {

    private final DynamoDbAsyncClient client;
    private final String table;

    private final AwsRequestOverrideConfiguration once;

    /**
     * @param timeout how long the answer may take. The SDK does not pass a cancellation on to the connection, so a read that
     *        was given up keeps its connection until the server answers or closes it.
     */
    public SdkShardReader(DynamoDbAsyncClient client, String table, Duration timeout) {
        this.client = client;
        this.table = table;
        this.once = AwsRequestOverrideConfiguration.builder().apiCallTimeout(timeout)
                .apiCallAttemptTimeout(timeout).build();
    }

    @Override
    public Uni<ShardPage> read(Read read) {
        ItemDecoder decoder = new ItemDecoder(read);
        return Uni.createFrom().completionStage(() -> client.query(request(read, decoder)))
                .onItem().transform(response -> page(response, decoder))
                .onFailure().transform(QueryFailures::told);
    }

    /** The request for a page. */
    public QueryRequest request(Read read) {
        return request(read, new ItemDecoder(read));
    }

    private QueryRequest request(Read read, ItemDecoder decoder) {
        QueryExpression terms = QueryExpression.of(read.query(), decoder.attributes());
        return QueryRequest.builder()
                .overrideConfiguration(once)
                .tableName(table)
                .indexName(terms.index().orElse(null))
                .keyConditionExpression(terms.keyCondition())
                .filterExpression(terms.filter().orElse(null))
                .projectionExpression(terms.projection())
                .expressionAttributeNames(terms.names())
                .expressionAttributeValues(mapped(terms.values(), AttributeValue::fromS))
                .exclusiveStartKey(read.after().map(after -> mapped(after.key(), AttributeValue::fromS)).orElse(null))
                .scanIndexForward(!read.query().descending())
                .consistentRead(read.query().consistent())
                .limit(read.limit())
                .returnConsumedCapacity(ReturnConsumedCapacity.TOTAL)
                .build();
    }

    private static <A, B> Map<String, B> mapped(Map<String, A> map, Function<A, B> function) {
        return map.entrySet().stream()
                .collect(Collectors.toMap(Map.Entry::getKey, entry -> function.apply(entry.getValue())));
    }

    private static ShardPage page(QueryResponse response, ItemDecoder decoder) {
        Optional<Position> next = response.hasLastEvaluatedKey() && !response.lastEvaluatedKey().isEmpty()
                ? Optional.of(new Position(mapped(response.lastEvaluatedKey(), AttributeValue::s)))
                : Optional.empty();
        double readUnits = response.consumedCapacity() == null || response.consumedCapacity().capacityUnits() == null
                ? 0
                : response.consumedCapacity().capacityUnits();
        return new ShardPage(response.items().stream().map(item -> item(item, decoder)).toList(), next,
                response.scannedCount() == null ? response.items().size() : response.scannedCount(), readUnits);
    }

    private static ShardItem item(Map<String, AttributeValue> item, ItemDecoder decoder) {
        List<String> attributes = decoder.attributes();
        @Nullable
        String[] texts = new String[attributes.size()];
        for (int i = 0; i < texts.length; i++) {
            AttributeValue value = item.get(attributes.get(i));
            if (value != null) {
                texts[i] = value.s() == null ? value.n() : value.s();
            }
        }
        return decoder.decode(texts);
    }
}
