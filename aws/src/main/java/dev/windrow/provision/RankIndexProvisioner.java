package dev.windrow.provision;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.stream.Collectors;

import dev.windrow.aws.AwsErrors;
import dev.windrow.base.Durations;
import dev.windrow.base.Reason;
import dev.windrow.dataset.MeasureKind.Part;
import dev.windrow.provision.TableProvisioner.ProvisionException;
import dev.windrow.provision.TableProvisioner.TableDefinition;
import dev.windrow.provision.TableProvisioner.WaiterPolicy;
import dev.windrow.table.TableSchema;
import software.amazon.awssdk.services.dynamodb.DynamoDbAsyncClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeDefinition;
import software.amazon.awssdk.services.dynamodb.model.BillingMode;
import software.amazon.awssdk.services.dynamodb.model.CreateGlobalSecondaryIndexAction;
import software.amazon.awssdk.services.dynamodb.model.GlobalSecondaryIndexDescription;
import software.amazon.awssdk.services.dynamodb.model.GlobalSecondaryIndexUpdate;
import software.amazon.awssdk.services.dynamodb.model.KeySchemaElement;
import software.amazon.awssdk.services.dynamodb.model.LimitExceededException;
import software.amazon.awssdk.services.dynamodb.model.Projection;
import software.amazon.awssdk.services.dynamodb.model.ProjectionType;
import software.amazon.awssdk.services.dynamodb.model.ProvisionedThroughput;
import software.amazon.awssdk.services.dynamodb.model.ResourceInUseException;
import software.amazon.awssdk.services.dynamodb.model.ScalarAttributeType;
import software.amazon.awssdk.services.dynamodb.model.TableDescription;
import software.amazon.awssdk.services.dynamodb.model.UpdateTableRequest;

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

    /** The index of leaderboards by one measure, in DynamoDB's words. */
    static final class RankIndex {

        static final Projection PROJECTION = Projection.builder().projectionType(ProjectionType.KEYS_ONLY).build();

        private static final String PREFIX = TableSchema.rankIndex("");

        private RankIndex() {
        }

        static List<KeySchemaElement> keys(String measure) {
            return TableDefinition.keys(TableSchema.rankAttribute(measure), Part.VALUE.attribute(measure));
        }

        static List<AttributeDefinition> attributes(String measure) {
            return List.of(TableDefinition.text(TableSchema.rankAttribute(measure)),
                    AttributeDefinition.builder().attributeName(Part.VALUE.attribute(measure))
                            .attributeType(ScalarAttributeType.N).build());
        }

        /** Whether an index is one of leaderboards. While such an index is being built, everything else goes on. */
        static boolean isOne(GlobalSecondaryIndexDescription index) {
            return index.indexName().startsWith(PREFIX);
        }

        static Optional<GlobalSecondaryIndexDescription> find(TableDescription table, String measure) {
            return table.globalSecondaryIndexes().stream()
                    .filter(index -> index.indexName().equals(TableSchema.rankIndex(measure))).findFirst();
        }

        /** What differs in an index of that name; empty if its keys fit. It may project more than keys. */
        static Optional<String> difference(TableDescription table, GlobalSecondaryIndexDescription index, String measure) {
            String expected = TableDefinition.describe(keys(measure), types(attributes(measure)));
            String found = TableDefinition.describe(index.keySchema(), types(table.attributeDefinitions()));
            return expected.equals(found) ? Optional.empty()
                    : Optional.of("expected key of index '" + index.indexName() + "' " + expected + ", found " + found);
        }

        static Map<String, ScalarAttributeType> types(List<AttributeDefinition> attributes) {
            return attributes.stream().collect(
                    Collectors.toMap(AttributeDefinition::attributeName, AttributeDefinition::attributeType));
        }

        /** The request that adds the index to a table in use; where capacity is provisioned, with as much as the table's. */
        static UpdateTableRequest creation(TableDescription table, String measure) {
            CreateGlobalSecondaryIndexAction.Builder index = CreateGlobalSecondaryIndexAction.builder()
                    .indexName(TableSchema.rankIndex(measure)).keySchema(keys(measure)).projection(PROJECTION);
            boolean onDemand = table.billingModeSummary() != null
                    && table.billingModeSummary().billingMode() == BillingMode.PAY_PER_REQUEST;
            if (!onDemand) {
                index.provisionedThroughput(ProvisionedThroughput.builder()
                        .readCapacityUnits(table.provisionedThroughput().readCapacityUnits())
                        .writeCapacityUnits(table.provisionedThroughput().writeCapacityUnits()).build());
            }
            return UpdateTableRequest.builder().tableName(table.tableName()).attributeDefinitions(attributes(measure))
                    .globalSecondaryIndexUpdates(GlobalSecondaryIndexUpdate.builder().create(index.build()).build()).build();
        }
    }
}
