package dev.windrow.writer.store;

import java.io.IOException;
import java.time.Duration;
import java.util.Map;

import dev.windrow.aws.AwsJsonClient;
import dev.windrow.aws.AwsResponse;
import dev.windrow.base.Reason;
import io.smallrye.mutiny.Uni;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/**
 * The table itself, through DynamoDB's JSON protocol. A transaction carries no client token: its conditions make a repeated
 * one harmless.
 */
public final class DynamoTableWrites implements TableWrites, TableReads {

    private static final String TRANSACT = "DynamoDB_20120810.TransactWriteItems";
    private static final String UPDATE = "DynamoDB_20120810.UpdateItem";
    private static final String GET = "DynamoDB_20120810.GetItem";

    private final AwsJsonClient client;
    private final WriteRequest messages;
    private final Duration timeout;

    /**
     * @param table its name
     * @param timeout how long an answer may take
     */
    public DynamoTableWrites(AwsJsonClient client, String table, Duration timeout) {
        this.client = client;
        this.messages = new WriteRequest(table);
        this.timeout = timeout;
    }

    @Override
    public Uni<WriteResult> write(TableWrite write) {
        Uni<AwsResponse> answer = write.transactional()
                ? client.post(TRANSACT, messages.transaction(write.updates()), timeout)
                : client.post(UPDATE, messages.update(write.updates().get(0)), timeout);
        boolean returnsItem = !write.transactional() && write.updates().get(0).returnsItem();
        return answer.map(answered -> receipt(answered, returnsItem)).onFailure().transform(DynamoFailures::classified);
    }

    @Override
    public Uni<Map<String, AttributeValue>> read(String partitionKey, String sortKey) {
        return client.post(GET, messages.read(partitionKey, sortKey), timeout).map(DynamoTableWrites::item).onFailure()
                .transform(DynamoFailures::classified);
    }

    private static WriteResult receipt(AwsResponse answer, boolean returnsItem) {
        try {
            if (answer.isOk()) {
                return new WriteResult(WriteResponse.units(answer),
                        returnsItem ? WriteResponse.item(answer, "Attributes") : Map.of());
            }
            throw WriteResponse.failure(answer);
        } catch (IOException e) {
            throw unreadable(e);
        }
    }

    private static Map<String, AttributeValue> item(AwsResponse answer) {
        try {
            if (answer.isOk()) {
                return WriteResponse.item(answer, "Item");
            }
            throw WriteResponse.failure(answer);
        } catch (IOException e) {
            throw unreadable(e);
        }
    }

    private static WriteFailedException unreadable(IOException e) {
        return new WriteFailedException(Reason.UNAVAILABLE, "malformed response: " + e);
    }
}
