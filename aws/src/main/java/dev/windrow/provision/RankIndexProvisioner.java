package dev.windrow.provision;

import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

import dev.windrow.aws.AwsErrors;
import dev.windrow.base.Durations;
import dev.windrow.base.Reason;
import dev.windrow.table.TableSchema;
import software.amazon.awssdk.services.dynamodb.DynamoDbAsyncClient;
import software.amazon.awssdk.services.dynamodb.model.GlobalSecondaryIndexDescription;
import software.amazon.awssdk.services.dynamodb.model.LimitExceededException;
import software.amazon.awssdk.services.dynamodb.model.ResourceInUseException;
import software.amazon.awssdk.services.dynamodb.model.TableDescription;

/**
 * Adds the indexes of leaderboards to a table in use, one after the other, as DynamoDB builds one at a time. Meanwhile,
 * reads and writes of the table go on. Any number of provisioners may run at once, and repeatedly.
 */
final class RankIndexProvisioner {

    private final DynamoDbAsyncClient dynamoDb;
    private final WaiterPolicy patience;

    RankIndexProvisioner(DynamoDbAsyncClient dynamoDb, WaiterPolicy patience) {
        this.dynamoDb = dynamoDb;
        this.patience = patience;
    }

    /** Completes once the indexes can be read; true if one had to be added. */
    CompletionStage<Boolean> provision(String table, Collection<String> measures) {
        CompletionStage<Boolean> added = CompletableFuture.completedFuture(false);
        for (String measure : measures) {
            added = added.thenCompose(before -> provision(table, measure).thenApply(now -> before || now));
        }
        return added;
    }

    private CompletionStage<Boolean> provision(String table, String measure) {
        return describe(table).thenCompose(found -> {
            boolean missing = RankIndex.find(found, measure).isEmpty();
            return patience.await(() -> step(table, measure)).thenApply(usable -> usable.map(done -> missing)
                    .orElseThrow(() -> new ProvisionException(Reason.TIMED_OUT, "table " + table,
                            List.of("expected index '" + TableSchema.rankIndex(measure) + "' to be active within "
                                    + Durations.text(patience.total())
                                    + "; DynamoDB continues to build it, and top lists are read from index '"
                                    + TableSchema.INDEX + "' meanwhile. Provision again to wait for it"))));
        });
    }

    /** Has a result once the index can be read. */
    private CompletionStage<Optional<Boolean>> step(String table, String measure) {
        return describe(table).thenCompose(found -> RankIndex.find(found, measure)
                .map(index -> CompletableFuture.completedStage(usable(found, index, measure)))
                .orElseGet(() -> create(found, measure)));
    }

    private static Optional<Boolean> usable(TableDescription table, GlobalSecondaryIndexDescription index, String measure) {
        RankIndex.difference(table, index, measure).ifPresent(difference -> {
            throw new ProvisionException(Reason.SCHEMA_MISMATCH, "table " + table.tableName(), List.of(difference));
        });
        return TableDefinition.usable(index) ? Optional.of(true) : Optional.empty();
    }

    private CompletionStage<Optional<Boolean>> create(TableDescription table, String measure) {
        return dynamoDb.updateTable(RankIndex.creation(table, measure))
                .handle((done, failure) -> {
                    Throwable cause = failure == null ? null : AwsErrors.cause(failure);
                    // Another index is being built, or another provisioner was faster: the next poll shows it.
                    return cause == null || cause instanceof ResourceInUseException || cause instanceof LimitExceededException
                            ? CompletableFuture.completedStage(Optional.<Boolean> empty())
                            : createdMeanwhile(table.tableName(), measure, cause);
                }).thenCompose(next -> next);
    }

    /** DynamoDB refuses to create what exists without an error type of its own. */
    private CompletionStage<Optional<Boolean>> createdMeanwhile(String table, String measure, Throwable failure) {
        return describe(table).thenCompose(found -> RankIndex.find(found, measure).isPresent()
                ? CompletableFuture.completedStage(Optional.empty())
                : CompletableFuture.failedStage(failure));
    }

    private CompletionStage<TableDescription> describe(String table) {
        return dynamoDb.describeTable(request -> request.tableName(table)).thenApply(response -> response.table());
    }
}
