package dev.windrow.writer.lifecycle;

import java.util.List;
import java.util.Map;

import jakarta.enterprise.context.ApplicationScoped;

import dev.windrow.aws.AwsErrors;
import dev.windrow.aws.RequestFailedException;
import dev.windrow.base.Durations;
import dev.windrow.base.InvalidInputException;
import dev.windrow.base.LogKey;
import dev.windrow.base.Reason;
import dev.windrow.base.StructuredLogger;
import dev.windrow.dataset.Datasets;
import dev.windrow.provision.ProvisionException;
import dev.windrow.provision.TableProvisioner;
import dev.windrow.provision.WaiterPolicy;
import dev.windrow.table.TableSchema;
import dev.windrow.writer.message.SourceQueue;
import dev.windrow.writer.source.QueueResolver;
import dev.windrow.writer.source.SourceConfig;
import dev.windrow.writer.store.DatasetRegistry;
import dev.windrow.writer.store.journal.JournalConfig;
import io.smallrye.mutiny.Uni;
import software.amazon.awssdk.services.dynamodb.DynamoDbAsyncClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.sqs.SqsAsyncClient;

/** What must hold before the first message is received: queues and table exist, and fit the datasets. */
@ApplicationScoped
class StartupChecks {

    private static final StructuredLogger LOG = StructuredLogger.of(StartupChecks.class);

    private final WriterConfig config;
    private final SourceConfig source;
    private final JournalConfig journal;
    private final SqsAsyncClient sqs;
    private final DynamoDbAsyncClient dynamoDb;

    StartupChecks(WriterConfig config, SourceConfig source, JournalConfig journal, SqsAsyncClient sqs,
            DynamoDbAsyncClient dynamoDb) {
        this.config = config;
        this.source = source;
        this.journal = journal;
        this.sqs = sqs;
        this.dynamoDb = dynamoDb;
    }

    /**
     * Finds the queues and checks all.
     *
     * @return fails with an {@link InvalidInputException} if only other settings can help, and with another failure, of
     *         which there is a {@link #reason(Throwable)}, if retrying may help
     */
    Uni<List<SourceQueue>> pass(Datasets datasets) {
        return new QueueResolver(sqs).find(config.queueNames(), config.deadLetterQueue())
                .invoke(queues -> queues.forEach(this::requireShorterRetention))
                .call(this::verifyTable)
                .call(this::verifyJournal)
                .call(() -> enter(datasets))
                // Last, so that checks which are repeated warn once.
                .invoke(queues -> queues.forEach(this::warnIfMovedWithoutReason));
    }

    /** A role that leading keys restrict to some tenants often lacks this item. */
    private Uni<Void> enter(Datasets datasets) {
        return new DatasetRegistry(dynamoDb, config.table()).enter(datasets, config.acceptDatasets())
                .onFailure(StartupChecks::isDenied).transform(denied -> new RequestFailedException(
                        "expected a role that may update item " + TableSchema.DATASETS_PK + " of table " + config.table(),
                        denied));
    }

    /** Only the journal is read: a role of an earlier release may not allow that. */
    private Uni<Void> verifyJournal() {
        Map<String, AttributeValue> lane = Map.of(TableSchema.PK, AttributeValue.fromS(TableSchema.lanePartitionKey(0)),
                TableSchema.SK, AttributeValue.fromS(TableSchema.LANE_SK));
        return Uni.createFrom().completionStage(() -> dynamoDb.getItem(get -> get.tableName(config.table()).key(lane)))
                .onFailure(StartupChecks::isDenied).transform(denied -> new RequestFailedException(
                        "expected a role that may read the journal in table " + config.table(), denied))
                .replaceWithVoid();
    }

    private void requireShorterRetention(SourceQueue queue) {
        if (queue.retention().compareTo(journal.retention()) >= 0) {
            throw new InvalidInputException(Reason.INVALID_SETTING, "windrow.writer.journal.retention",
                    "expected more than the "
                            + Durations.text(queue.retention()) + " that queue " + queue.name() + " keeps messages, found "
                            + Durations.text(journal.retention()));
        }
    }

    /** Nothing is lost either way, so this is no reason not to start. */
    private void warnIfMovedWithoutReason(SourceQueue queue) {
        if (queue.movesWithin(source.maxReceiveCount())) {
            LOG.warn("SQS will move messages to the dead-letter queue before the writer can send them with a reason; starting"
                    + " anyway", LogKey.QUEUE.of(queue.name()),
                    LogKey.DETAIL.of("windrow.writer.source.max-receive-count: expected less than maxReceiveCount of the"
                            + " queue's redrive policy, " + queue.maxReceives() + ", found " + source.maxReceiveCount()
                            + "; raise maxReceiveCount or lower the setting"));
        }
    }

    /** A role of an earlier release may not describe the table: then the first write shows whether it has our keys. */
    private Uni<Void> verifyTable() {
        return Uni.createFrom()
                .completionStage(() -> new TableProvisioner(dynamoDb, WaiterPolicy.defaults()).verify(config.table()))
                .onFailure(StartupChecks::isDenied).recoverWithUni(denied -> {
                    LOG.warn("table not checked, for lack of permission; starting anyway", LogKey.TABLE.of(config.table()),
                            LogKey.ERROR.of(denied.getMessage()));
                    return Uni.createFrom().voidItem();
                });
    }

    /** Why the checks failed. */
    static Reason reason(Throwable failure) {
        Throwable cause = AwsErrors.cause(failure);
        if (cause instanceof InvalidInputException invalid) {
            return invalid.reason();
        }
        return cause instanceof ProvisionException problem ? problem.reason() : AwsErrors.reason(cause);
    }

    private static boolean isDenied(Throwable failure) {
        return AwsErrors.reason(failure) == Reason.ACCESS_DENIED;
    }
}
