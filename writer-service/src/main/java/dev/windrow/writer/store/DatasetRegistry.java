package dev.windrow.writer.store;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

import dev.windrow.aws.AwsErrors;
import dev.windrow.base.InvalidInputException;
import dev.windrow.base.LogKey;
import dev.windrow.base.Reason;
import dev.windrow.base.StructuredLogger;
import dev.windrow.dataset.Dataset;
import dev.windrow.dataset.DatasetShape;
import dev.windrow.dataset.Datasets;
import dev.windrow.dataset.Rank;
import dev.windrow.dataset.Scatter.Murmur3;
import dev.windrow.table.TableSchema;
import io.smallrye.mutiny.Uni;
import software.amazon.awssdk.services.dynamodb.DynamoDbAsyncClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.ConditionalCheckFailedException;
import software.amazon.awssdk.services.dynamodb.model.UpdateItemRequest;

/**
 * Registers in the table the shape that each dataset was last written with, and stops a writer that would write another
 * one: an event that an earlier writer rejected might count and be a dead letter as well, a redelivery might count twice, or
 * the index might lack what was written before. All in one item, each step conditional, so that any number of writers may
 * start at once. Expressions hold some 60 datasets, so more of them take several steps.
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
        Map<String, String> ranks = new HashMap<>();
        for (Dataset dataset : datasets.all()) {
            declared.put(dataset.name(), DatasetShape.of(dataset));
            ranks.put(dataset.name(), Rank.lines(dataset.ranks()));
        }
        return new Entry(declared, ranks, accepted).make();
    }

    /** The value by which an operator accepts these datasets, and no others. */
    static String fingerprint(Map<String, DatasetShape> shapes) {
        StringBuilder text = new StringBuilder();
        new TreeMap<>(shapes).forEach((name, shape) -> text.append(name).append('\n').append(shape.text()).append("\n\n"));
        return "%016x".formatted(Murmur3.hash64(text.toString()));
    }

    /** The registration of one writer. */
    private final class Entry {

        private final Map<String, DatasetShape> declared;
        private final Map<String, String> ranks;
        private final String fingerprint;
        private final boolean accepted;

        /** @param ranks the leaderboards of each dataset */
        Entry(Map<String, DatasetShape> declared, Map<String, String> ranks, Optional<String> accepted) {
            this.declared = declared;
            this.ranks = ranks;
            this.fingerprint = fingerprint(declared);
            this.accepted = accepted.filter(fingerprint::equals).isPresent();
        }

        Uni<Void> make() {
            RegistryUpdate first = new RegistryUpdate("attribute_not_exists(" + TableSchema.PK + ")");
            for (Map.Entry<String, DatasetShape> dataset : declared.entrySet()) {
                if (first.isFull()) {
                    first.set(TableSchema.ENTERING, fingerprint);
                    // The next attempt finds the item and enters the others.
                    return send(first).chain(held -> held.isEmpty() ? make() : compare(held));
                }
                addNew(first, dataset.getKey(), dataset.getValue());
            }
            return send(first).chain(held -> held.isEmpty() ? Uni.createFrom().voidItem() : compare(held));
        }

        /** The leaderboards of a new dataset are complete, as it has no items yet. */
        private void addNew(RegistryUpdate update, String name, DatasetShape shape) {
            update.set(TableSchema.datasetAttribute(name), shape.text());
            String complete = ranks.getOrDefault(name, "");
            if (!complete.isEmpty()) {
                update.set(TableSchema.rankedAttribute(name), complete);
            }
        }

        private Uni<Void> compare(Map<String, AttributeValue> held) {
            DatasetDifferences differences = new DatasetDifferences();
            AttributeValue entering = held.get(TableSchema.ENTERING);
            boolean continued = entering != null && entering.s().equals(fingerprint);
            RegistryUpdate update = new RegistryUpdate("attribute_exists(" + TableSchema.PK + ")");
            boolean complete = true;
            for (Map.Entry<String, DatasetShape> dataset : declared.entrySet()) {
                boolean full = update.isFull();
                complete &= !full;
                // All differences are looked for, also of datasets that wait for the next step.
                compare(dataset.getKey(), dataset.getValue(), held, full ? new RegistryUpdate("") : update, differences);
            }
            if (!differences.isEmpty() && !accepted && !continued) {
                return Uni.createFrom().failure(() -> differences.refusal(table, fingerprint));
            }
            if (complete && entering != null) {
                // Also another writer's: what it has not entered yet is new to this table from now on.
                update.require(TableSchema.ENTERING, entering.s());
                update.remove(TableSchema.ENTERING);
            }
            if (update.isEmpty()) {
                return Uni.createFrom().voidItem();
            }
            boolean last = complete;
            return send(update).chain(other -> {
                if (!other.isEmpty()) {
                    return compare(other);
                }
                if (accepted && !differences.isEmpty()) {
                    LOG.info("changed datasets accepted", LogKey.TABLE.of(table), LogKey.CHANGES.of(differences.all()));
                }
                return last ? Uni.createFrom().voidItem() : make();
            });
        }

        /** Adds to the update what registers one dataset, and to the differences how it differs from what is registered. */
        private void compare(String name, DatasetShape shape, Map<String, AttributeValue> held, RegistryUpdate update,
                DatasetDifferences differences) {
            String attribute = TableSchema.datasetAttribute(name);
            AttributeValue value = held.get(attribute);
            if (value == null) {
                update.require(attribute, null);
                addNew(update, name, shape);
                differences.addNew(name);
                return;
            }
            DatasetShape registered = DatasetShape.parse(value.s());
            differences.add(name, registered, shape);
            // Also without a difference: a granularity that has left the index lacks items from now on.
            String text = registered.with(shape).text();
            if (!text.equals(value.s())) {
                update.require(attribute, value.s());
                update.set(attribute, text);
            }
            keepRanks(update, name, held, TableSchema.rankedAttribute(name));
            keepRanks(update, name, held, TableSchema.rankingAttribute(name));
        }

        /** A leaderboard that this writer does not keep is not complete from now on, nor being completed. */
        private void keepRanks(RegistryUpdate update, String name, Map<String, AttributeValue> held, String attribute) {
            AttributeValue value = held.get(attribute);
            if (value == null) {
                return;
            }
            Set<String> kept = Rank.parseLines(value.s());
            kept.retainAll(Rank.parseLines(ranks.getOrDefault(name, "")));
            String lines = String.join("\n", kept);
            if (!lines.equals(value.s())) {
                update.require(attribute, value.s());
                update.set(attribute, lines);
            }
        }
    }

    /** @return nothing if it was done, else the current item */
    private Uni<Map<String, AttributeValue>> send(RegistryUpdate update) {
        UpdateItemRequest request = update.request(table);
        return Uni.createFrom().completionStage(() -> dynamoDb.updateItem(request))
                .map(response -> Map.<String, AttributeValue> of())
                .onFailure(failure -> AwsErrors.cause(failure) instanceof ConditionalCheckFailedException)
                .recoverWithItem(failure -> ((ConditionalCheckFailedException) AwsErrors.cause(failure)).item())
                .onFailure(DatasetRegistry::isTooLarge).transform(failure -> new InvalidInputException(Reason.INVALID_DATASETS,
                        "datasets",
                        "table " + table + " holds up to 400 KB of declarations, those of all datasets that it was ever"
                                + " written with included, and these do not fit: declare fewer datasets, shorter labels or fewer"
                                + " measures, or use another table"));
    }

    private static boolean isTooLarge(Throwable failure) {
        String message = AwsErrors.cause(failure).getMessage();
        return message != null && message.contains("Item size");
    }
}
