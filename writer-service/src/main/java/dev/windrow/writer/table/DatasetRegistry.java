package dev.windrow.writer.table;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

import org.jspecify.annotations.Nullable;

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
import software.amazon.awssdk.services.dynamodb.model.ReturnValuesOnConditionCheckFailure;
import software.amazon.awssdk.services.dynamodb.model.UpdateItemRequest;

/**
 * Registers in the table the shape that each dataset was last written with, and stops a writer that would write another
 * one: an event that an earlier writer rejected might count and be a dead letter as well, a redelivery might count twice, or
 * the index might lack what was written before. All in one item, each step conditional, so that any number of writers may
 * start at once. Expressions hold some 60 datasets, so more of them take several steps.
 */
public record DatasetRegistry(DynamoDbAsyncClient dynamoDb, String table) {

    private static final StructuredLogger LOG = StructuredLogger.of(DatasetRegistry.class);

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
            declared.put(dataset.name(), DatasetShape.of(dataset, datasets.forms()));
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

    /** How declared datasets differ from those that a table was written with, and what harm that does. */
    static final class DatasetDifferences {

        private static final int MAX_LISTED = 20;
        private static final int MAX_CHARACTERS = 250;

        /** Those by which a redelivered message could count twice, for people. */
        private final List<String> counted = new ArrayList<>();
        /** Human-readable differences that would make index queries miss buckets. */
        private final List<String> indexed = new ArrayList<>();
        private boolean hasOtherKeys;

        void addNew(String dataset) {
            counted.add(dataset + ": new");
        }

        void add(String dataset, DatasetShape registered, DatasetShape declared) {
            registered.differences(declared).forEach(difference -> counted.add(dataset + ": " + difference));
            hasOtherKeys |= !registered.keyDifferences(declared).isEmpty();
            registered.indexDifference(declared).ifPresent(difference -> indexed.add(dataset + ": " + difference));
        }

        boolean isEmpty() {
            return counted.isEmpty() && indexed.isEmpty();
        }

        List<String> all() {
            List<String> all = new ArrayList<>(counted);
            all.addAll(indexed);
            return all;
        }

        /** The first of them: the message has to end with what to do. */
        private String listed() {
            List<String> all = all();
            List<String> first = new ArrayList<>(all.subList(0, Math.min(all.size(), MAX_LISTED)));
            first.replaceAll(difference -> difference.length() <= MAX_CHARACTERS ? difference
                    : difference.substring(0, MAX_CHARACTERS) + "…");
            if (all.size() > MAX_LISTED) {
                first.add("and " + (all.size() - MAX_LISTED) + " more");
            }
            return String.join("; ", first);
        }

        /** @param fingerprint accepts the declared datasets */
        InvalidInputException refusal(String table, String fingerprint) {
            StringBuilder text = new StringBuilder("expected those that table ").append(table).append(" was written with: ")
                    .append(listed());
            if (!counted.isEmpty()) {
                text.append(". Messages that were received before the change and are not deleted yet could count twice");
            }
            if (hasOtherKeys) {
                text.append(
                        ". With another label, partition or key-shards, what was written before is not found any more: declare a new"
                                + " dataset instead, which is counted beside the old one");
            }
            if (!indexed.isEmpty()) {
                text.append(
                        ". Buckets that were written before a granularity is added to the index are not in it, and queries that"
                                + " read the index could miss them");
            }
            text.append(". Either restore the datasets, or ").append(counted.isEmpty()
                    ? "declare a new one with this index, or "
                    : "let the writers that run empty the queue, stop them, and ")
                    .append("start with windrow.writer.accept-datasets=").append(fingerprint);
            return new InvalidInputException(Reason.DATASETS_CHANGED, "datasets", text.toString());
        }
    }

    /** A conditional update of the item that holds the registered datasets. */
    static final class RegistryUpdate {

        private static final int MAX_SETS = 64;

        /** By attribute. */
        private final Map<String, String> names = new HashMap<>();
        private final Map<String, AttributeValue> values = new HashMap<>();
        private final List<String> sets = new ArrayList<>();
        private final List<String> removed = new ArrayList<>();
        private final StringBuilder condition;

        /** @param condition without names and values */
        RegistryUpdate(String condition) {
            this.condition = new StringBuilder(condition);
        }

        boolean isEmpty() {
            return sets.isEmpty() && removed.isEmpty();
        }

        /** Whether an expression, which DynamoDB limits to 4 KB, may have no room for another dataset. */
        boolean isFull() {
            return sets.size() >= MAX_SETS;
        }

        void set(String attribute, String text) {
            sets.add(name(attribute) + " = " + value(text));
        }

        void remove(String attribute) {
            removed.add(name(attribute));
        }

        /** @param text what the attribute must be; null if the item must not have it */
        void require(String attribute, @Nullable String text) {
            condition.append(" AND ").append(text == null ? "attribute_not_exists(" + name(attribute) + ")"
                    : name(attribute) + " = " + value(text));
        }

        private String name(String attribute) {
            return names.computeIfAbsent(attribute, absent -> "#" + names.size());
        }

        private String value(String text) {
            String value = ":" + values.size();
            values.put(value, AttributeValue.fromS(text));
            return value;
        }

        UpdateItemRequest request(String table) {
            Map<String, String> attributes = new HashMap<>();
            names.forEach((attribute, name) -> attributes.put(name, attribute));
            return UpdateItemRequest.builder().tableName(table)
                    .key(JournalItems.key(TableSchema.DATASETS_PK, TableSchema.DATASETS_SK))
                    .updateExpression(clause("SET ", sets) + clause(" REMOVE ", removed))
                    .conditionExpression(condition.toString())
                    .expressionAttributeNames(attributes).expressionAttributeValues(values.isEmpty() ? null : values)
                    .returnValuesOnConditionCheckFailure(ReturnValuesOnConditionCheckFailure.ALL_OLD).build();
        }

        private static String clause(String keyword, List<String> terms) {
            return terms.isEmpty() ? "" : keyword + String.join(", ", terms);
        }
    }
}
