package dev.windrow.provision;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

import dev.windrow.aws.AwsErrors;
import dev.windrow.base.Durations;
import dev.windrow.base.Reason;
import dev.windrow.dataset.MeasureKind.Part;
import dev.windrow.table.TableSchema;
import software.amazon.awssdk.services.dynamodb.DynamoDbAsyncClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeDefinition;
import software.amazon.awssdk.services.dynamodb.model.BillingMode;
import software.amazon.awssdk.services.dynamodb.model.CreateGlobalSecondaryIndexAction;
import software.amazon.awssdk.services.dynamodb.model.CreateTableRequest;
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
 * Brings a table to the form of {@link TableSchema}: creates it when it is missing, checks it when it exists, turns expiry on,
 * and adds indexes of leaderboards. Any number of provisioners may run at once, and repeatedly. A table that differs otherwise
 * is reported, never changed, because keys cannot be changed.
 *
 * @param patience how long to wait for a table to become usable
 */
public record TableProvisioner(DynamoDbAsyncClient dynamoDb, WaiterPolicy patience) {

    /** What {@link #provision} found and did. */
    public enum Outcome {
        /** There was no such table: it was created. */
        CREATED,
        /** The table existed without expiry or an index of leaderboards: that was added. */
        COMPLETED,
        /** The table was as it should be. */
        UNCHANGED
    }

    /**
     * Completes once the table can be used. Fails with a {@link ProvisionException} when it exists in another form
     * ({@link Reason#SCHEMA_MISMATCH}) or does not become active in time ({@link Reason#TIMED_OUT}), and with the SDK's
     * exceptions when DynamoDB refuses a request.
     */
    public CompletionStage<Outcome> provision(TableSpec spec) {
        return describe(spec.name())
                .thenCompose(found -> found.isPresent() ? CompletableFuture.completedFuture(false) : create(spec))
                .thenCompose(created -> awaitActive(spec.name())
                        .thenAccept(table -> requireSchema(spec.name(), table))
                        .thenCompose(ignored -> ensureExpiry(spec.name()))
                        .thenCompose(enabled -> addIndexes(spec.name(), spec.rankedMeasures())
                                .thenApply(added -> enabled || added))
                        .thenApply(completed -> outcome(created, completed)));
    }

    /**
     * Looks whether a table can be written to, and changes nothing. Fails with a {@link ProvisionException} when it has
     * another form ({@link Reason#SCHEMA_MISMATCH}), and with the SDK's exceptions when there is none or DynamoDB refuses.
     */
    public CompletionStage<Void> verify(String table) {
        return existing(table).thenAccept(found -> requireSchema(table, found));
    }

    private static Outcome outcome(boolean created, boolean completed) {
        if (created) {
            return Outcome.CREATED;
        }
        return completed ? Outcome.COMPLETED : Outcome.UNCHANGED;
    }

    private CompletionStage<Optional<TableDescription>> describe(String table) {
        return existing(table).thenApply(Optional::of)
                .exceptionally(failure -> absentIf(ResourceNotFoundException.class, failure));
    }

    private CompletionStage<Boolean> create(TableSpec spec) {
        return dynamoDb.createTable(TableDefinition.creation(spec))
                .thenApply(response -> Optional.of(true))
                // Another provisioner was faster; its table is checked like any other that exists.
                .exceptionally(failure -> absentIf(ResourceInUseException.class, failure))
                .thenApply(created -> created.orElse(false));
    }

    private CompletionStage<TableDescription> awaitActive(String table) {
        return patience.await(() -> describe(table).thenApply(found -> found.filter(TableProvisioner::active)))
                .thenApply(active -> active.orElseThrow(() -> new ProvisionException(Reason.TIMED_OUT, "table " + table,
                        List.of("expected it to be active within " + Durations.text(patience.total())))));
    }

    /** A table being updated can be read and written like an active one. */
    private static boolean active(TableDescription table) {
        boolean usable = table.tableStatus() == TableStatus.ACTIVE || table.tableStatus() == TableStatus.UPDATING;
        return usable && table.globalSecondaryIndexes().stream().filter(index -> !RankIndex.isOne(index))
                .allMatch(TableDefinition::usable);
    }

    private static void requireSchema(String table, TableDescription found) {
        List<String> differences = TableDefinition.differences(found);
        if (!differences.isEmpty()) {
            throw new ProvisionException(Reason.SCHEMA_MISMATCH, "table " + table, differences);
        }
    }

    /** Whether it had to be turned on. */
    private CompletionStage<Boolean> ensureExpiry(String table) {
        return expiryIsOn(table)
                .thenCompose(on -> on ? CompletableFuture.completedFuture(false) : enableExpiry(table));
    }

    private CompletionStage<Boolean> enableExpiry(String table) {
        return dynamoDb.updateTimeToLive(request -> request.tableName(table).timeToLiveSpecification(
                expiry -> expiry.attributeName(TableSchema.TTL).enabled(true)))
                .thenApply(response -> true)
                // DynamoDB refuses to turn on what another provisioner just turned on, without an error type of its own.
                .exceptionallyCompose(failure -> expiryIsOn(table).thenCompose(
                        on -> on ? CompletableFuture.completedFuture(false) : CompletableFuture.failedFuture(failure)));
    }

    private CompletionStage<Boolean> expiryIsOn(String table) {
        return dynamoDb.describeTimeToLive(request -> request.tableName(table))
                .thenApply(response -> expiryIsOn(table, response.timeToLiveDescription()));
    }

    private static boolean expiryIsOn(String table, TimeToLiveDescription found) {
        boolean on = found.timeToLiveStatus() == TimeToLiveStatus.ENABLED
                || found.timeToLiveStatus() == TimeToLiveStatus.ENABLING;
        if (on && !TableSchema.TTL.equals(found.attributeName())) {
            throw new ProvisionException(Reason.SCHEMA_MISMATCH, "table " + table, List.of(
                    "expected time to live on attribute '" + TableSchema.TTL + "', found '" + found.attributeName() + "'"));
        }
        return on;
    }

    /**
     * Adds the indexes of leaderboards to a table in use, one after the other, as DynamoDB builds one at a time. Meanwhile,
     * reads and writes of the table go on. Completes once the indexes can be read; true if one had to be added.
     */
    private CompletionStage<Boolean> addIndexes(String table, Collection<String> measures) {
        CompletionStage<Boolean> added = CompletableFuture.completedFuture(false);
        for (String measure : measures) {
            added = added.thenCompose(before -> addIndex(table, measure).thenApply(now -> before || now));
        }
        return added;
    }

    private CompletionStage<Boolean> addIndex(String table, String measure) {
        return existing(table).thenCompose(found -> {
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
        return existing(table).thenCompose(found -> RankIndex.find(found, measure)
                .map(index -> CompletableFuture.completedStage(usable(found, index, measure)))
                .orElseGet(() -> createIndex(found, measure)));
    }

    private static Optional<Boolean> usable(TableDescription table, GlobalSecondaryIndexDescription index, String measure) {
        RankIndex.difference(table, index, measure).ifPresent(difference -> {
            throw new ProvisionException(Reason.SCHEMA_MISMATCH, "table " + table.tableName(), List.of(difference));
        });
        return TableDefinition.usable(index) ? Optional.of(true) : Optional.empty();
    }

    private CompletionStage<Optional<Boolean>> createIndex(TableDescription table, String measure) {
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
        return existing(table).thenCompose(found -> RankIndex.find(found, measure).isPresent()
                ? CompletableFuture.completedStage(Optional.empty())
                : CompletableFuture.failedStage(failure));
    }

    private CompletionStage<TableDescription> existing(String table) {
        return dynamoDb.describeTable(request -> request.tableName(table)).thenApply(response -> response.table());
    }

    private static <T> Optional<T> absentIf(Class<? extends RuntimeException> expected, Throwable failure) {
        Throwable cause = AwsErrors.cause(failure);
        if (expected.isInstance(cause)) {
            return Optional.empty();
        }
        throw cause instanceof RuntimeException known ? known : new CompletionException(cause);
    }

    /**
     * A table to provision. Its keys, index and expiry are those of {@link TableSchema}; only this much is free. A table that
     * has to be created is charged by request; one that exists keeps its way.
     *
     * @param name 3 to 255 of letters, digits, {@code _}, {@code -} and {@code .} (DynamoDB naming rules)
     * @param rankedMeasures measures of leaderboards, each of which needs an index; a table that exists gets those it lacks
     */
    public record TableSpec(String name, Set<String> rankedMeasures) {

        private static final Pattern NAME = Pattern.compile("[a-zA-Z0-9_.-]{3,255}");
        private static final String NAME_RULE = "3 to 255 letters, digits, '_', '-' or '.'";

        public TableSpec {
            rankedMeasures = Collections.unmodifiableSet(new TreeSet<>(rankedMeasures));
            SettingChecks.requireMatch("table name", name, NAME, NAME_RULE);
        }

        /**
         * Requires a name that DynamoDB accepts.
         *
         * @throws IllegalArgumentException which names the setting
         */
        public static void requireName(String setting, String name) {
            SettingChecks.requireMatch(setting, name, NAME, "a table's name: " + NAME_RULE);
        }

        /** The same table, with leaderboards by these measures. */
        public TableSpec withRanks(Set<String> measures) {
            return new TableSpec(name, measures);
        }

        /** The table with Windrow's default name, without leaderboards. */
        public static TableSpec defaults() {
            return named(TableSchema.TABLE);
        }

        /** A table without leaderboards. */
        public static TableSpec named(String name) {
            return new TableSpec(name, Set.of());
        }
    }

    /** {@link TableSchema} in DynamoDB's words: to create a table by, and to compare an existing one with. */
    static final class TableDefinition {

        private static final List<KeySchemaElement> TABLE_KEYS = keys(TableSchema.PK, TableSchema.SK);
        private static final List<KeySchemaElement> INDEX_KEYS = keys(TableSchema.INDEX_PK, TableSchema.INDEX_SK);

        private TableDefinition() {
        }

        static CreateTableRequest creation(TableSpec spec) {
            List<GlobalSecondaryIndex> indexes = new ArrayList<>(List.of(GlobalSecondaryIndex.builder()
                    .indexName(TableSchema.INDEX)
                    .keySchema(INDEX_KEYS)
                    .projection(projection -> projection.projectionType(ProjectionType.ALL)).build()));
            spec.rankedMeasures().forEach(measure -> indexes.add(GlobalSecondaryIndex.builder()
                    .indexName(TableSchema.rankIndex(measure)).keySchema(RankIndex.keys(measure))
                    .projection(RankIndex.PROJECTION).build()));
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
            spec.rankedMeasures().forEach(measure -> attributes.addAll(RankIndex.attributes(measure)));
            return attributes;
        }

        /** An index that is still being created or removed cannot be queried; one of other capacity can. */
        static boolean usable(GlobalSecondaryIndexDescription index) {
            return index.indexStatus() == IndexStatus.ACTIVE || index.indexStatus() == IndexStatus.UPDATING;
        }

        /** What differs from the schema, one sentence each; none when the table fits. More indexes than ours are allowed. */
        static List<String> differences(TableDescription found) {
            List<String> differences = new ArrayList<>();
            Map<String, ScalarAttributeType> types = RankIndex.types(found.attributeDefinitions());
            compareKeys("table key", TABLE_KEYS, found.keySchema(), types, differences);
            Optional<GlobalSecondaryIndexDescription> index = found.globalSecondaryIndexes().stream()
                    .filter(candidate -> candidate.indexName().equals(TableSchema.INDEX)).findFirst();
            if (index.isEmpty()) {
                differences.add("expected a global secondary index '" + TableSchema.INDEX + "', found none");
                return differences;
            }
            String subject = "key of index '" + TableSchema.INDEX + "'";
            compareKeys(subject, INDEX_KEYS, index.get().keySchema(), types, differences);
            ProjectionType projection = index.get().projection().projectionType();
            if (projection != ProjectionType.ALL) {
                differences.add("expected index '" + TableSchema.INDEX + "' to project ALL, found " + projection);
            }
            return differences;
        }

        private static void compareKeys(String subject, List<KeySchemaElement> expected, List<KeySchemaElement> found,
                Map<String, ScalarAttributeType> types, List<String> differences) {
            String wanted = describe(expected, Map.of());
            String actual = describe(found, types);
            if (!wanted.equals(actual)) {
                differences.add("expected " + subject + " " + wanted + ", found " + actual);
            }
        }

        static String describe(List<KeySchemaElement> keys, Map<String, ScalarAttributeType> types) {
            return keys.stream()
                    .map(key -> key.attributeName() + " (" + key.keyTypeAsString() + ", "
                            + types.getOrDefault(key.attributeName(), ScalarAttributeType.S) + ")")
                    .collect(Collectors.joining(", "));
        }

        static List<KeySchemaElement> keys(String hash, String range) {
            return List.of(KeySchemaElement.builder().attributeName(hash).keyType(KeyType.HASH).build(),
                    KeySchemaElement.builder().attributeName(range).keyType(KeyType.RANGE).build());
        }

        static AttributeDefinition text(String name) {
            return AttributeDefinition.builder().attributeName(name).attributeType(ScalarAttributeType.S).build();
        }
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

    /**
     * How to poll for something that DynamoDB does asynchronously.
     *
     * @param interval pause between two polls, more than 0
     * @param polls maximum number of polls, one or more
     */
    public record WaiterPolicy(Duration interval, int polls) {

        public WaiterPolicy {
            if (interval.isZero() || interval.isNegative()) {
                throw new IllegalArgumentException("interval: expected more than 0 s, found " + interval);
            }
            SettingChecks.requireBetween("polls", polls, 1, Long.MAX_VALUE);
        }

        /** Five minutes, with a poll each second: a new table takes some ten seconds, a busy account longer. */
        public static WaiterPolicy defaults() {
            return new WaiterPolicy(Duration.ofSeconds(1), 300);
        }

        /** Maximum wait in all, without the time the polls themselves take. */
        Duration total() {
            return interval.multipliedBy(polls - 1L);
        }

        /** Polls until there is a result; empty after the last poll without one. */
        <T> CompletionStage<Optional<T>> await(Supplier<CompletionStage<Optional<T>>> check) {
            return poll(check, polls);
        }

        private <T> CompletionStage<Optional<T>> poll(Supplier<CompletionStage<Optional<T>>> check, int left) {
            return check.get().thenCompose(answer -> {
                if (answer.isPresent() || left == 1) {
                    return CompletableFuture.completedFuture(answer);
                }
                Executor later = CompletableFuture.delayedExecutor(interval.toMillis(), TimeUnit.MILLISECONDS);
                return CompletableFuture.supplyAsync(() -> poll(check, left - 1), later).thenCompose(next -> next);
            });
        }
    }

    /** A table or queue could not be brought to the required state. */
    public static final class ProvisionException extends RuntimeException {

        private static final long serialVersionUID = 1L;

        private final Reason reason;
        private final List<String> problems;

        ProvisionException(Reason reason, String subject, List<String> problems) {
            super(subject + ": " + reason.word() + ": " + String.join("; ", problems));
            this.reason = reason;
            this.problems = List.copyOf(problems);
        }

        /** {@link Reason#SCHEMA_MISMATCH} or {@link Reason#TIMED_OUT}. */
        public Reason reason() {
            return reason;
        }

        /** One sentence for each thing that differs, with what was expected and what was found. */
        public List<String> problems() {
            return problems;
        }
    }
}
