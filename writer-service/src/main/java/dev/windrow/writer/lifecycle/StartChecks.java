package dev.windrow.writer.lifecycle;

import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletionException;

import jakarta.enterprise.context.ApplicationScoped;

import org.jboss.logging.Logger;

import dev.windrow.dataset.Datasets;
import dev.windrow.provision.Patience;
import dev.windrow.provision.TableProvisioner;
import dev.windrow.reason.Quoted;
import dev.windrow.reason.Reason;
import dev.windrow.reason.ReasonedException;
import dev.windrow.table.TableSchema;
import dev.windrow.writer.message.Queue;
import dev.windrow.writer.source.Queues;
import dev.windrow.writer.store.DatasetRegister;
import dev.windrow.writer.store.StoreConfig;
import io.smallrye.mutiny.Uni;
import software.amazon.awssdk.services.dynamodb.DynamoDbAsyncClient;
import software.amazon.awssdk.services.dynamodb.model.DynamoDbException;
import software.amazon.awssdk.services.sqs.SqsAsyncClient;

/** What must hold before the first message is received: queues, table and datasets are there and fit together. */
@ApplicationScoped
class StartChecks {

    private static final Logger LOG = Logger.getLogger(StartChecks.class);

    private final WriterConfig config;
    private final StoreConfig store;
    private final SqsAsyncClient sqs;
    private final DynamoDbAsyncClient dynamoDb;

    StartChecks(WriterConfig config, StoreConfig store, SqsAsyncClient sqs, DynamoDbAsyncClient dynamoDb) {
        this.config = config;
        this.store = store;
        this.sqs = sqs;
        this.dynamoDb = dynamoDb;
    }

    /**
     * Finds the queues and checks all.
     *
     * @return fails with a {@link ReasonedException} where only other settings can help, and otherwise where what is missing
     *         or wrong may be mended outside
     */
    Uni<List<Queue>> pass(Datasets datasets) {
        return new Queues(sqs).find(config.queueNames(), config.deadLetterQueue())
                .invoke(queues -> queues.forEach(this::requireShorterRetention))
                .call(this::verifyTable)
                .call(() -> enter(datasets));
    }

    /** A role that is kept to some tenants by leading keys easily forgets this item. */
    private Uni<Void> enter(Datasets datasets) {
        return new DatasetRegister(dynamoDb, config.table()).enter(datasets, config.acceptDatasets())
                .onFailure(StartChecks::isDenied).transform(denied -> new IllegalStateException(
                        "expected a role that may update item " + TableSchema.DATASETS_PK + " of table " + config.table()
                                + ": " + denied.getMessage(),
                        denied));
    }

    private void requireShorterRetention(Queue queue) {
        if (queue.retention().compareTo(store.ledgerRetention()) >= 0) {
            throw new ReasonedException(Reason.INVALID_SETTING, "windrow.store.ledger-retention", "expected more than the "
                    + queue.retention() + " that queue " + queue.name() + " keeps messages, found "
                    + store.ledgerRetention());
        }
    }

    /** A role of an earlier release may not describe the table: then the first write shows whether it has our keys. */
    private Uni<Void> verifyTable() {
        return Uni.createFrom()
                .completionStage(() -> new TableProvisioner(dynamoDb, Patience.defaults()).verify(config.table()))
                .onFailure(StartChecks::isDenied).recoverWithUni(denied -> {
                    LOG.warnf("table not checked: table=%s error=%s", config.table(), Quoted.line(denied.getMessage()));
                    return Uni.createFrom().voidItem();
                });
    }

    private static boolean isDenied(Throwable failure) {
        Throwable cause = failure instanceof CompletionException ? Objects.requireNonNullElse(failure.getCause(), failure)
                : failure;
        return cause instanceof DynamoDbException answer && answer.awsErrorDetails() != null
                && "AccessDeniedException".equals(answer.awsErrorDetails().errorCode());
    }
}
