package dev.windrow.provision;

import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;

import dev.windrow.aws.AwsErrors;
import dev.windrow.base.Durations;
import dev.windrow.base.Reason;
import dev.windrow.table.TableSchema;
import software.amazon.awssdk.services.dynamodb.DynamoDbAsyncClient;
import software.amazon.awssdk.services.dynamodb.model.ResourceInUseException;
import software.amazon.awssdk.services.dynamodb.model.ResourceNotFoundException;
import software.amazon.awssdk.services.dynamodb.model.TableDescription;
import software.amazon.awssdk.services.dynamodb.model.TableStatus;
import software.amazon.awssdk.services.dynamodb.model.TimeToLiveDescription;
import software.amazon.awssdk.services.dynamodb.model.TimeToLiveStatus;

/**
 * Brings a table to the form of {@link TableSchema}: creates it when it is missing, checks it when it exists, turns expiry on,
 * and adds indexes of leaderboards. Any number of provisioners may run at once, and repeatedly. A table that differs otherwise
 * is reported, never changed, because keys cannot be changed.
 */
public final class TableProvisioner {

    /** What {@link #provision} found and did. */
    public enum Outcome {
        /** There was no such table: it was created. */
        CREATED,
        /** The table existed without expiry or an index of leaderboards: that was added. */
        COMPLETED,
        /** The table was as it should be. */
        UNCHANGED
    }

    private final DynamoDbAsyncClient dynamoDb;
    private final WaiterPolicy patience;

    /** @param patience how long to wait for a table to become usable */
    public TableProvisioner(DynamoDbAsyncClient dynamoDb, WaiterPolicy patience) {
        this.dynamoDb = dynamoDb;
        this.patience = patience;
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
                        .thenCompose(enabled -> new RankIndexProvisioner(dynamoDb, patience)
                                .provision(spec.name(), spec.rankedMeasures()).thenApply(added -> enabled || added))
                        .thenApply(completed -> outcome(created, completed)));
    }

    /**
     * Looks whether a table can be written to, and changes nothing. Fails with a {@link ProvisionException} when it has
     * another form ({@link Reason#SCHEMA_MISMATCH}), and with the SDK's exceptions when there is none or DynamoDB refuses.
     */
    public CompletionStage<Void> verify(String table) {
        return dynamoDb.describeTable(request -> request.tableName(table))
                .thenAccept(response -> requireSchema(table, response.table()));
    }

    private static Outcome outcome(boolean created, boolean completed) {
        if (created) {
            return Outcome.CREATED;
        }
        return completed ? Outcome.COMPLETED : Outcome.UNCHANGED;
    }

    private CompletionStage<Optional<TableDescription>> describe(String table) {
        return dynamoDb.describeTable(request -> request.tableName(table))
                .thenApply(response -> Optional.of(response.table()))
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

    private static <T> Optional<T> absentIf(Class<? extends RuntimeException> expected, Throwable failure) {
        Throwable cause = AwsErrors.cause(failure);
        if (expected.isInstance(cause)) {
            return Optional.empty();
        }
        throw cause instanceof RuntimeException known ? known : new CompletionException(cause);
    }
}
