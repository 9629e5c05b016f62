package dev.windrow.writer.store;

import java.io.IOException;
import java.time.Duration;

import dev.windrow.aws.AwsJsonClient;
import dev.windrow.aws.AwsResponse;
import dev.windrow.reason.Reason;
import io.smallrye.mutiny.Uni;

/**
 * The table itself, by DynamoDB's wire protocol. A transaction carries no client token: it is the ledger that makes a
 * repeated one harmless.
 */
public final class DynamoTableWrites implements TableWrites {

    private static final String TRANSACT = "DynamoDB_20120810.TransactWriteItems";
    private static final String UPDATE = "DynamoDB_20120810.UpdateItem";

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
        return answer.map(DynamoTableWrites::receipt).onFailure().transform(DynamoFailures::classified);
    }

    private static WriteResult receipt(AwsResponse answer) {
        try {
            if (answer.isOk()) {
                return new WriteResult(WriteResponse.units(answer));
            }
            throw WriteResponse.failure(answer);
        } catch (IOException e) {
            throw new WriteFailedException(Reason.UNAVAILABLE, "an answer not understood: " + e);
        }
    }
}
