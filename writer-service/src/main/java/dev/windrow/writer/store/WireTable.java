package dev.windrow.writer.store;

import java.io.IOException;
import java.time.Duration;

import dev.windrow.reason.Reason;
import dev.windrow.wire.WireAnswer;
import dev.windrow.wire.WireClient;
import io.smallrye.mutiny.Uni;

/**
 * The table itself, by DynamoDB's wire protocol. A transaction carries no client token: it is the ledger that makes a
 * repeated one harmless.
 */
public final class WireTable implements TableWrites {

    private static final String TRANSACT = "DynamoDB_20120810.TransactWriteItems";
    private static final String UPDATE = "DynamoDB_20120810.UpdateItem";

    private final WireClient client;
    private final WriteMessages messages;
    private final Duration timeout;

    /**
     * @param table its name
     * @param timeout how long an answer may take
     */
    public WireTable(WireClient client, String table, Duration timeout) {
        this.client = client;
        this.messages = new WriteMessages(table);
        this.timeout = timeout;
    }

    @Override
    public Uni<WriteReceipt> write(TableWrite write) {
        Uni<WireAnswer> answer = write.transactional()
                ? client.post(TRANSACT, messages.transaction(write.updates()), timeout)
                : client.post(UPDATE, messages.update(write.updates().get(0)), timeout);
        return answer.map(WireTable::receipt).onFailure().transform(DynamoFailures::classified);
    }

    private static WriteReceipt receipt(WireAnswer answer) {
        try {
            if (answer.isOk()) {
                return new WriteReceipt(WriteAnswers.units(answer));
            }
            throw WriteAnswers.failure(answer);
        } catch (IOException e) {
            throw new WriteFailedException(Reason.UNAVAILABLE, "an answer not understood: " + e);
        }
    }
}
