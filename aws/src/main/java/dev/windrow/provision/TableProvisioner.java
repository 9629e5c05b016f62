package dev.windrow.provision;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.stream.Collectors;

import dev.windrow.aws.AwsErrors;
import dev.windrow.aws.RequestFailedException;
import dev.windrow.base.Durations;
import dev.windrow.base.Reason;
import dev.windrow.dataset.MeasurePart;
import dev.windrow.table.TableSchema;
import software.amazon.awssdk.services.dynamodb.DynamoDbAsyncClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeDefinition;
import software.amazon.awssdk.services.dynamodb.model.BillingMode;
import software.amazon.awssdk.services.dynamodb.model.CreateGlobalSecondaryIndexAction;
import software.amazon.awssdk.services.dynamodb.model.CreateTableRequest;
import software.amazon.awssdk.services.dynamodb.model.DynamoDbException;
import software.amazon.awssdk.services.dynamodb.model.GlobalSecondaryIndex;
import software.amazon.awssdk.services.dynamodb.model.GlobalSecondaryIndexDescription;
import software.amazon.awssdk.services.dynamodb.model.GlobalSecondaryIndexUpdate;
import software.amazon.awssdk.services.dynamodb.model.IndexStatus;
import software.amazon.awssdk.services.dynamodb.model.KeySchemaElement;
import software.amazon.awssdk.services.dynamodb.model.KeyType;
import software.amazon.awssdk.services.dynamodb.model.LimitExceededException;
import software.amazon.awssdk.services.dynamodb.model.Projection;
import software.amazon.awssdk.services.dynamodb.model.ProjectionType;
import software.amazon.awssdk.services.dynamodb.model.ProvisionedThroughput;
import software.amazon.awssdk.services.dynamodb.model.ResourceInUseException;
import software.amazon.awssdk.services.dynamodb.model.ResourceNotFoundException;
import software.amazon.awssdk.services.dynamodb.model.ScalarAttributeType;
import software.amazon.awssdk.services.dynamodb.model.TableDescription;
import software.amazon.awssdk.services.dynamodb.model.TableStatus;
import software.amazon.awssdk.services.dynamodb.model.TimeToLiveDescription;
import software.amazon.awssdk.services.dynamodb.model.TimeToLiveStatus;
import software.amazon.awssdk.services.dynamodb.model.UpdateTableRequest;

/**
 * Provisions a table in the form of {@link TableSchema}: creates it if it is missing, checks it if it exists, turns on expiry,
 * and adds indexes of leaderboards. Any number of provisioners may run concurrently, and repeatedly. Any other difference is
 * reported, never changed, because keys cannot be changed.
 *
 * @param patience how long to wait for a table to become usable
 */
public record TableProvisioner(DynamoDbAsyncClient dynamoDb, WaiterPolicy patience) {

    /** The result of {@link #provision}. */
    public enum Outcome {
        /** The table did not exist, and was created. */
        CREATED,
        /** The table existed without expiry or an index of leaderboards, which was added. */
        COMPLETED,
        /** The table was complete. */
        UNCHANGED
    }

    /**
     * Provisions a table; blocks until it can be used.
     *
     * @throws ProvisionException if it exists in another form ({@link Reason#SCHEMA_MISMATCH}) or does not become active in
     *         time ({@link Reason#TIMED_OUT})
     */
    public Outcome provision(TableSpec spec) {
        String table = spec.name();
        boolean created = describe(table).isEmpty() && create(spec);
        requireSchema(table, awaitActive(table));
        boolean completed = ensureExpiry(table);
        // One by one, as DynamoDB builds one index at a time.
        for (String measure : spec.rankedMeasures()) {
            completed |= addIndex(table, measure);
        }
        if (created) {
            return Outcome.CREATED;
        }
        return completed ? Outcome.COMPLETED : Outcome.UNCHANGED;
    }

    /**
     * Checks whether a table can be written to, and changes nothing. Fails with a {@link ProvisionException} if it has another
     * form ({@link Reason#SCHEMA_MISMATCH}), and with the SDK's exceptions if there is none or DynamoDB refuses the request.
     */
    public CompletionStage<Void> verify(String table) {
        return dynamoDb.describeTable(request -> request.tableName(table))
                .thenAccept(found -> requireSchema(table, found.table()));
    }

    private Optional<TableDescription> describe(String table) {
        try {
            return Optional.of(existing(table));
        } catch (ResourceNotFoundException missing) {
            return Optional.empty();
        }
    }

    private boolean create(TableSpec spec) {
        try {
            AwsErrors.join(dynamoDb.createTable(TableDefinition.creation(spec)));
            return true;
        } catch (ResourceInUseException exists) {
            // Another provisioner was faster; its table is checked like any existing one.
            return false;
        }
    }

    private TableDescription awaitActive(String table) {
        return patience.await(() -> describe(table).filter(TableProvisioner::active))
                .orElseThrow(() -> new ProvisionException(Reason.TIMED_OUT, table,
                        "not active after " + Durations.text(patience.total())));
    }

    /** A table being updated can be read and written like an active one. */
    private static boolean active(TableDescription table) {
        boolean usable = table.tableStatus() == TableStatus.ACTIVE || table.tableStatus() == TableStatus.UPDATING;
        return usable && table.globalSecondaryIndexes().stream().filter(index -> !TableDefinition.isRank(index))
                .allMatch(TableDefinition::usable);
    }

    private static void requireSchema(String table, TableDescription found) {
        List<String> differences = TableDefinition.differences(found);
        if (!differences.isEmpty()) {
            throw new ProvisionException(Reason.SCHEMA_MISMATCH, table, String.join("; ", differences));
        }
    }

    /** Turns on expiry; returns whether it was off. */
    private boolean ensureExpiry(String table) {
        if (expiryIsOn(table)) {
            return false;
        }
        try {
            AwsErrors.join(dynamoDb.updateTimeToLive(request -> request.tableName(table).timeToLiveSpecification(
                    expiry -> expiry.attributeName(TableSchema.TTL).enabled(true))));
            return true;
        } catch (DynamoDbException refused) {
            // DynamoDB refuses, without a specific error type, if another provisioner has just turned it on.
            if (expiryIsOn(table)) {
                return false;
            }
            throw refused;
        }
    }

    private boolean expiryIsOn(String table) {
        TimeToLiveDescription found = AwsErrors.join(dynamoDb.describeTimeToLive(request -> request.tableName(table)))
                .timeToLiveDescription();
        boolean on = found.timeToLiveStatus() == TimeToLiveStatus.ENABLED
                || found.timeToLiveStatus() == TimeToLiveStatus.ENABLING;
        if (on && !TableSchema.TTL.equals(found.attributeName())) {
            throw new ProvisionException(Reason.SCHEMA_MISMATCH, table,
                    "expected time to live on attribute '" + TableSchema.TTL + "', found '" + found.attributeName() + "'");
        }
        return on;
    }

    /**
     * Adds the index of a leaderboard to a table in use; reads and writes continue during that. Returns once the index can be
     * read; true if it was missing.
     */
    private boolean addIndex(String table, String measure) {
        boolean missing = TableDefinition.rankIndex(existing(table), measure).isEmpty();
        if (patience.await(() -> usableIndex(table, measure)).isEmpty()) {
            throw new ProvisionException(Reason.TIMED_OUT, table, "index '"
                    + TableSchema.rankIndex(measure) + "' is not active after " + Durations.text(patience.total())
                    + "; DynamoDB continues to build it, and top lists are read from index '" + TableSchema.INDEX
                    + "' meanwhile. Provision again to wait for it");
        }
        return missing;
    }

    /** Returns the index if it can be read; creates it if there is none. */
    private Optional<GlobalSecondaryIndexDescription> usableIndex(String table, String measure) {
        TableDescription found = existing(table);
        Optional<GlobalSecondaryIndexDescription> index = TableDefinition.rankIndex(found, measure);
        if (index.isEmpty()) {
            createIndex(found, measure);
        }
        // Only the keys are checked: it may project more than keys.
        index.flatMap(known -> TableDefinition.difference("key of index '" + known.indexName() + "'",
                TableDefinition.rankKeys(measure),
                TableDefinition.rankAttributes(measure), known.keySchema(), found)).ifPresent(difference -> {
                    throw new ProvisionException(Reason.SCHEMA_MISMATCH, table, difference);
                });
        return index.filter(TableDefinition::usable);
    }

    private void createIndex(TableDescription table, String measure) {
        try {
            AwsErrors.join(dynamoDb.updateTable(TableDefinition.rankCreation(table, measure)));
        } catch (ResourceInUseException | LimitExceededException busy) {
            // Another index is being built, or another provisioner was faster: the next poll will show which.
        } catch (DynamoDbException refused) {
            // DynamoDB refuses, without a specific error type, to create an existing index.
            if (TableDefinition.rankIndex(existing(table.tableName()), measure).isEmpty()) {
                throw refused;
            }
        }
    }

    private TableDescription existing(String table) {
        return AwsErrors.join(dynamoDb.describeTable(request -> request.tableName(table))).table();
    }

    /** {@link TableSchema} in DynamoDB's terms, to create a table and to check an existing one. */
    static final class TableDefinition {

        private static final List<KeySchemaElement> TABLE_KEYS = keys(TableSchema.PK, TableSchema.SK);
        private static final List<KeySchemaElement> INDEX_KEYS = keys(TableSchema.INDEX_PK, TableSchema.INDEX_SK);
        private static final Projection RANK_PROJECTION = Projection.builder().projectionType(ProjectionType.KEYS_ONLY).build();

        private TableDefinition() {
        }

        static CreateTableRequest creation(TableSpec spec) {
            List<GlobalSecondaryIndex> indexes = new ArrayList<>(List.of(GlobalSecondaryIndex.builder()
                    .indexName(TableSchema.INDEX)
                    .keySchema(INDEX_KEYS)
                    .projection(projection -> projection.projectionType(ProjectionType.ALL)).build()));
            spec.rankedMeasures().forEach(measure -> indexes.add(GlobalSecondaryIndex.builder()
                    .indexName(TableSchema.rankIndex(measure)).keySchema(rankKeys(measure))
                    .projection(RANK_PROJECTION).build()));
            return CreateTableRequest.builder()
                    .tableName(spec.name())
                    .attributeDefinitions(attributes(spec))
                    .keySchema(TABLE_KEYS)
                    .billingMode(BillingMode.PAY_PER_REQUEST)
                    .globalSecondaryIndexes(indexes).build();
        }

        private static List<AttributeDefinition> attributes(TableSpec spec) {
            List<AttributeDefinition> attributes = new ArrayList<>(List.of(text(TableSchema.PK), text(TableSchema.SK),
                    text(TableSchema.INDEX_PK), text(TableSchema.INDEX_SK)));
            spec.rankedMeasures().forEach(measure -> attributes.addAll(rankAttributes(measure)));
            return attributes;
        }

        /** An index that is being created or deleted cannot be queried; one whose capacity is being changed can. */
        static boolean usable(GlobalSecondaryIndexDescription index) {
            return index.indexStatus() == IndexStatus.ACTIVE || index.indexStatus() == IndexStatus.UPDATING;
        }

        /** Returns the differences from the schema, one sentence each; none if the table fits. Other indexes are allowed. */
        static List<String> differences(TableDescription found) {
            List<String> differences = new ArrayList<>();
            difference("table key", TABLE_KEYS, List.of(), found.keySchema(), found).ifPresent(differences::add);
            Optional<GlobalSecondaryIndexDescription> index = index(found, TableSchema.INDEX);
            if (index.isEmpty()) {
                differences.add("expected a global secondary index '" + TableSchema.INDEX + "', found none");
                return differences;
            }
            difference("key of index '" + TableSchema.INDEX + "'", INDEX_KEYS, List.of(), index.get().keySchema(), found)
                    .ifPresent(differences::add);
            ProjectionType projection = index.get().projection().projectionType();
            if (projection != ProjectionType.ALL) {
                differences.add("expected index '" + TableSchema.INDEX + "' to project ALL, found " + projection);
            }
            return differences;
        }

        static Optional<GlobalSecondaryIndexDescription> index(TableDescription table, String name) {
            return table.globalSecondaryIndexes().stream().filter(index -> index.indexName().equals(name)).findFirst();
        }

        /**
         * Returns the difference in the keys of a table or index; empty if they fit.
         *
         * @param types types of the expected keys that are not texts
         */
        static Optional<String> difference(String subject, List<KeySchemaElement> expected, List<AttributeDefinition> types,
                List<KeySchemaElement> keys, TableDescription found) {
            String wanted = describe(expected, types);
            String actual = describe(keys, found.attributeDefinitions());
            return wanted.equals(actual) ? Optional.empty()
                    : Optional.of("expected " + subject + " " + wanted + ", found " + actual);
        }

        private static String describe(List<KeySchemaElement> keys, List<AttributeDefinition> attributes) {
            Map<String, ScalarAttributeType> types = attributes.stream().collect(
                    Collectors.toMap(AttributeDefinition::attributeName, AttributeDefinition::attributeType));
            return keys.stream().map(key -> key.attributeName() + " (" + key.keyTypeAsString() + ", "
                    + types.getOrDefault(key.attributeName(), ScalarAttributeType.S) + ")").collect(Collectors.joining(", "));
        }

        static List<KeySchemaElement> rankKeys(String measure) {
            return keys(TableSchema.rankAttribute(measure), MeasurePart.VALUE.attribute(measure));
        }

        static List<AttributeDefinition> rankAttributes(String measure) {
            return List.of(text(TableSchema.rankAttribute(measure)),
                    AttributeDefinition.builder().attributeName(MeasurePart.VALUE.attribute(measure))
                            .attributeType(ScalarAttributeType.N).build());
        }

        /** Whether an index is for leaderboards. While such an index is being built, everything else works. */
        static boolean isRank(GlobalSecondaryIndexDescription index) {
            return index.indexName().startsWith(TableSchema.rankIndex(""));
        }

        static Optional<GlobalSecondaryIndexDescription> rankIndex(TableDescription table, String measure) {
            return index(table, TableSchema.rankIndex(measure));
        }

        /** The request that adds the index to a table in use; if capacity is provisioned, the index gets the table's. */
        static UpdateTableRequest rankCreation(TableDescription table, String measure) {
            CreateGlobalSecondaryIndexAction.Builder index = CreateGlobalSecondaryIndexAction.builder()
                    .indexName(TableSchema.rankIndex(measure)).keySchema(rankKeys(measure)).projection(RANK_PROJECTION);
            boolean onDemand = table.billingModeSummary() != null
                    && table.billingModeSummary().billingMode() == BillingMode.PAY_PER_REQUEST;
            if (!onDemand) {
                index.provisionedThroughput(ProvisionedThroughput.builder()
                        .readCapacityUnits(table.provisionedThroughput().readCapacityUnits())
                        .writeCapacityUnits(table.provisionedThroughput().writeCapacityUnits()).build());
            }
            return UpdateTableRequest.builder().tableName(table.tableName()).attributeDefinitions(rankAttributes(measure))
                    .globalSecondaryIndexUpdates(GlobalSecondaryIndexUpdate.builder().create(index.build()).build()).build();
        }

        static List<KeySchemaElement> keys(String hash, String range) {
            return List.of(KeySchemaElement.builder().attributeName(hash).keyType(KeyType.HASH).build(),
                    KeySchemaElement.builder().attributeName(range).keyType(KeyType.RANGE).build());
        }

        static AttributeDefinition text(String name) {
            return AttributeDefinition.builder().attributeName(name).attributeType(ScalarAttributeType.S).build();
        }
    }

    /** A table could not be brought to the required state. */
    public static final class ProvisionException extends RequestFailedException {

        private static final long serialVersionUID = 1L;

        ProvisionException(Reason reason, String table, String problem) {
            super(reason, "table " + table + ": " + reason.word() + ": " + problem);
        }
    }
}
