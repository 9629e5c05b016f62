package dev.windrow.writer.store;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CompletionException;

import dev.windrow.dataset.Dataset;
import dev.windrow.dataset.Datasets;
import dev.windrow.log.LogKey;
import dev.windrow.log.StructuredLogger;
import dev.windrow.reason.InvalidInputException;
import dev.windrow.reason.Reason;
import dev.windrow.scatter.Murmur3;
import dev.windrow.table.TableSchema;
import io.smallrye.mutiny.Uni;
import software.amazon.awssdk.services.dynamodb.DynamoDbAsyncClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.ConditionalCheckFailedException;
import software.amazon.awssdk.services.dynamodb.model.ReturnValuesOnConditionCheckFailure;
import software.amazon.awssdk.services.dynamodb.model.UpdateItemRequest;

/**
 * Keeps in the table what each dataset was last written as, and lets no writer in that would write it otherwise: an event
 * that an earlier writer rejected might count and be a dead letter as well, or a message not be known again. All in one
 * item, each step conditional, so that any number of writers may start at once.
 */
public final class DatasetRegistry {

    private static final StructuredLogger LOG = StructuredLogger.of(DatasetRegistry.class);

    private final DynamoDbAsyncClient dynamoDb;
    private final String table;

    public DatasetRegistry(DynamoDbAsyncClient dynamoDb, String table) {
        this.dynamoDb = dynamoDb;
        this.table = table;
    }

    /**
     * Completes once the table holds these datasets, among others.
     *
     * @param accepted the {@linkplain #fingerprint fingerprint} of datasets that may replace what the table holds
     * @return fails with a {@link InvalidInputException} of {@link Reason#DATASETS_CHANGED} if the table holds others, and as
     *         the SDK does
     */
    public Uni<Void> enter(Datasets datasets, Optional<String> accepted) {
        Map<String, DatasetShape> declared = new TreeMap<>();
        for (Dataset dataset : datasets.all()) {
            declared.put(dataset.name(), DatasetShape.of(dataset));
        }
        return enter(declared, accepted.filter(fingerprint(declared)::equals).isPresent());
    }

    /** By what an operator accepts these datasets, and no others. */
    static String fingerprint(Map<String, DatasetShape> shapes) {
        StringBuilder text = new StringBuilder();
        new TreeMap<>(shapes).forEach((name, shape) -> text.append(name).append('\n').append(shape.text()).append("\n\n"));
        return "%016x".formatted(Murmur3.hash64(text.toString()));
    }

    private Uni<Void> enter(Map<String, DatasetShape> declared, boolean accepted) {
        return update(declared, Map.of(), "attribute_not_exists(" + TableSchema.PK + ")")
                .chain(held -> held.isEmpty() ? Uni.createFrom().voidItem() : compare(declared, held, accepted));
    }

    private Uni<Void> compare(Map<String, DatasetShape> declared, Map<String, AttributeValue> held, boolean accepted) {
        Map<String, DatasetShape> changed = new TreeMap<>();
        Map<String, String> before = new HashMap<>();
        List<String> differences = new ArrayList<>();
        declared.forEach((name, shape) -> {
            AttributeValue value = held.get(TableSchema.datasetAttribute(name));
            List<String> found = value == null ? List.of("new") : DatasetShape.parse(value.s()).differences(shape);
            if (!found.isEmpty()) {
                changed.put(name, shape);
                before.put(name, value == null ? "" : value.s());
                found.forEach(difference -> differences.add(name + ": " + difference));
            }
        });
        if (changed.isEmpty()) {
            return Uni.createFrom().voidItem();
        }
        if (!accepted) {
            return Uni.createFrom().failure(() -> refusal(differences, fingerprint(declared)));
        }
        return update(changed, before, "attribute_exists(" + TableSchema.PK + ")").chain(other -> {
            if (other.isEmpty()) {
                LOG.info("changed datasets accepted", LogKey.TABLE.of(table), LogKey.CHANGES.of(differences));
                return Uni.createFrom().voidItem();
            }
            return compare(declared, other, true);
        });
    }

    private InvalidInputException refusal(List<String> differences, String fingerprint) {
        return new InvalidInputException(Reason.DATASETS_CHANGED, "datasets", "expected those that table " + table
                + " was written with: " + String.join("; ", differences) + ". Messages that were received before the change"
                + " and are not deleted yet could count twice. Either restore the datasets, or let the writers that run"
                + " empty the queue, stop them, and start with windrow.writer.accept-datasets=" + fingerprint);
    }

    /** @return nothing if it was done, else the item as it is */
    private Uni<Map<String, AttributeValue>> update(Map<String, DatasetShape> shapes, Map<String, String> before,
            String condition) {
        Map<String, String> names = new HashMap<>();
        Map<String, AttributeValue> values = new HashMap<>();
        List<String> sets = new ArrayList<>();
        StringBuilder conditions = new StringBuilder(condition);
        shapes.forEach((dataset, shape) -> {
            int i = sets.size();
            names.put("#d" + i, TableSchema.datasetAttribute(dataset));
            values.put(":d" + i, AttributeValue.fromS(shape.text()));
            sets.add("#d" + i + " = :d" + i);
            String old = before.get(dataset);
            if (old != null && old.isEmpty()) {
                conditions.append(" AND attribute_not_exists(#d").append(i).append(')');
            } else if (old != null) {
                conditions.append(" AND #d").append(i).append(" = :o").append(i);
                values.put(":o" + i, AttributeValue.fromS(old));
            }
        });
        UpdateItemRequest request = UpdateItemRequest.builder().tableName(table)
                .key(Map.of(TableSchema.PK, AttributeValue.fromS(TableSchema.DATASETS_PK), TableSchema.SK,
                        AttributeValue.fromS(TableSchema.DATASETS_SK)))
                .updateExpression("SET " + String.join(", ", sets)).conditionExpression(conditions.toString())
                .expressionAttributeNames(names).expressionAttributeValues(values)
                .returnValuesOnConditionCheckFailure(ReturnValuesOnConditionCheckFailure.ALL_OLD).build();
        return Uni.createFrom().completionStage(() -> dynamoDb.updateItem(request))
                .map(response -> Map.<String, AttributeValue> of())
                .onFailure(failure -> cause(failure) instanceof ConditionalCheckFailedException)
                .recoverWithItem(failure -> ((ConditionalCheckFailedException) cause(failure)).item());
    }

    private static Throwable cause(Throwable failure) {
        return failure instanceof CompletionException ? Objects.requireNonNullElse(failure.getCause(), failure) : failure;
    }
}
