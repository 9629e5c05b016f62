package dev.windrow.writer.table;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;

import dev.windrow.base.InvalidInputException;
import dev.windrow.base.LogKey;
import dev.windrow.base.Reason;
import dev.windrow.base.StructuredLogger;
import dev.windrow.dataset.Dataset;
import dev.windrow.dataset.DatasetShape;
import dev.windrow.dataset.Datasets;
import dev.windrow.dataset.Rank;
import dev.windrow.scatter.Murmur3;
import dev.windrow.table.TableSchema;
import io.smallrye.mutiny.Uni;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/**
 * Registers the shape that each dataset was last written with, and stops a writer that declares a different one. Otherwise an
 * event that an earlier writer rejected might be both counted and a dead letter, a redelivery might count twice, or the index
 * might lack earlier buckets. All shapes are in one item, and each step is conditional, so that any number of writers may
 * start concurrently. An expression holds about 60 datasets; more take several steps.
 */
public record DatasetRegistry(DynamoTable table) {

    private static final StructuredLogger LOG = StructuredLogger.of(DatasetRegistry.class);
    private static final int MAX_ATTRIBUTES = 64;

    /**
     * Registers the datasets; completes once the table holds all of them.
     *
     * @param accepted the {@linkplain #fingerprint fingerprint} of datasets that may replace those in the table
     * @return fails with a {@link InvalidInputException} of {@link Reason#DATASETS_CHANGED} if the table holds different ones,
     *         and with {@link WriteFailedException}
     */
    public Uni<Void> enter(Datasets datasets, Optional<String> accepted) {
        return new Entry(datasets, accepted).make();
    }

    /** The value with which an operator accepts exactly these datasets. */
    static String fingerprint(Map<String, DatasetShape> shapes) {
        StringBuilder text = new StringBuilder();
        new TreeMap<>(shapes).forEach((name, shape) -> text.append(name).append('\n').append(shape.text()).append("\n\n"));
        return "%016x".formatted(Murmur3.hash64(text.toString()));
    }

    /** The registration of one writer. */
    private final class Entry {

        private final Map<String, DatasetShape> declared = new TreeMap<>();
        private final Map<String, String> ranks = new HashMap<>();
        private final String fingerprint;
        private final boolean accepted;

        Entry(Datasets datasets, Optional<String> accepted) {
            for (Dataset dataset : datasets.all()) {
                declared.put(dataset.name(), DatasetShape.of(dataset, datasets.forms()));
                ranks.put(dataset.name(), Rank.lines(dataset.ranks()));
            }
            this.fingerprint = fingerprint(declared);
            this.accepted = accepted.filter(fingerprint::equals).isPresent();
        }

        Uni<Void> make() {
            ItemUpdate first = update().require("attribute_not_exists(" + TableSchema.PK + ")");
            for (Map.Entry<String, DatasetShape> dataset : declared.entrySet()) {
                if (isFull(first)) {
                    first.set(TableSchema.ENTERING, ItemAttribute.text(fingerprint));
                    // The next attempt finds the item and enters the others.
                    return send(first).chain(held -> held.isEmpty() ? make() : compare(held));
                }
                addNew(first, dataset.getKey(), dataset.getValue());
            }
            return send(first).chain(held -> held.isEmpty() ? Uni.createFrom().voidItem() : compare(held));
        }

        /** Adds a new dataset. Its leaderboards are complete, since it has no items yet. */
        private void addNew(ItemUpdate update, String name, DatasetShape shape) {
            update.set(TableSchema.datasetAttribute(name), ItemAttribute.text(shape.text()));
            String complete = ranks.getOrDefault(name, "");
            if (!complete.isEmpty()) {
                update.set(TableSchema.rankedAttribute(name), ItemAttribute.text(complete));
            }
        }

        private Uni<Void> compare(Map<String, AttributeValue> held) {
            DatasetDifferences differences = new DatasetDifferences();
            StoredItem registry = new StoredItem(held);
            String entering = registry.text(TableSchema.ENTERING);
            boolean continued = entering.equals(fingerprint);
            ItemUpdate update = update().require("attribute_exists(" + TableSchema.PK + ")");
            boolean complete = true;
            for (Map.Entry<String, DatasetShape> dataset : declared.entrySet()) {
                boolean full = isFull(update);
                complete &= !full;
                // Collects the differences of all datasets, including those left for the next step.
                compare(dataset.getKey(), dataset.getValue(), registry, full ? update() : update, differences);
            }
            if (!differences.isEmpty() && !accepted && !continued) {
                return Uni.createFrom().failure(() -> differences.refusal(table.table(), fingerprint));
            }
            if (complete && !entering.isEmpty()) {
                // Removes another writer's mark too: datasets that it has not entered yet count as new from now on.
                require(update, TableSchema.ENTERING, entering);
                update.remove(TableSchema.ENTERING);
            }
            if (update.attributes().isEmpty()) {
                return Uni.createFrom().voidItem();
            }
            boolean last = complete;
            return send(update).chain(other -> {
                if (!other.isEmpty()) {
                    return compare(other);
                }
                if (accepted && !differences.isEmpty()) {
                    LOG.info("changed datasets accepted", LogKey.TABLE.of(table.table()), LogKey.CHANGES.of(differences.all()));
                }
                return last ? Uni.createFrom().voidItem() : make();
            });
        }

        /** Adds the registration of one dataset to the update, and its differences from the registered shape. */
        private void compare(String name, DatasetShape shape, StoredItem registry, ItemUpdate update,
                DatasetDifferences differences) {
            String attribute = TableSchema.datasetAttribute(name);
            String before = registry.text(attribute);
            if (before.isEmpty()) {
                require(update, attribute, null);
                addNew(update, name, shape);
                differences.addNew(name);
                return;
            }
            DatasetShape registered = DatasetShape.parse(before);
            differences.add(name, registered, shape);
            // Updated even without a reported difference: a granularity removed from the index lacks items from now on.
            String text = registered.with(shape).text();
            if (!text.equals(before)) {
                require(update, attribute, before);
                update.set(attribute, ItemAttribute.text(text));
            }
            keepRanks(update, name, registry, TableSchema.rankedAttribute(name));
            keepRanks(update, name, registry, TableSchema.rankingAttribute(name));
        }

        /** Removes leaderboards that this writer does not maintain: they are no longer complete, nor being completed. */
        private void keepRanks(ItemUpdate update, String name, StoredItem registry, String attribute) {
            String before = registry.text(attribute);
            if (before.isEmpty()) {
                return;
            }
            Set<String> kept = Rank.parseLines(before);
            kept.retainAll(Rank.parseLines(ranks.getOrDefault(name, "")));
            String lines = String.join("\n", kept);
            if (!lines.equals(before)) {
                require(update, attribute, before);
                update.set(attribute, ItemAttribute.text(lines));
            }
        }
    }

    private static ItemUpdate update() {
        return new ItemUpdate(TableSchema.DATASETS_PK, TableSchema.DATASETS_SK);
    }

    /** Whether the expression, which DynamoDB limits to 4 KB, may have no room for another dataset. */
    private static boolean isFull(ItemUpdate update) {
        return update.attributes().size() >= MAX_ATTRIBUTES;
    }

    /** @param text what the attribute must be; null if the item must not have it */
    private static void require(ItemUpdate update, String attribute, @Nullable String text) {
        String name = update.name(attribute);
        update.require(
                text == null ? "attribute_not_exists(" + name + ")" : name + " = " + update.value(ItemAttribute.text(text)));
    }

    /** @return empty if the update was applied, else the current item */
    private Uni<Map<String, AttributeValue>> send(ItemUpdate update) {
        return table.write(TableWrite.single(update)).map(done -> Map.<String, AttributeValue> of())
                .onFailure(ConditionFailedException.class)
                .recoverWithItem(failure -> failure.items().get(0))
                .onFailure(DatasetRegistry::isTooLarge).transform(failure -> new InvalidInputException(Reason.INVALID_DATASETS,
                        "datasets",
                        "table " + table.table() + " holds up to 400 KB of declarations, those of all datasets that it was ever"
                                + " written with included, and these do not fit: declare fewer datasets, shorter labels or fewer"
                                + " measures, or use another table"));
    }

    private static boolean isTooLarge(Throwable failure) {
        return failure instanceof WriteFailedException refused && refused.detail().contains("Item size");
    }

    /** Differences between the declared and the registered datasets, and the harm they would do. */
    static final class DatasetDifferences {

        private static final int MAX_LISTED = 20;
        private static final int MAX_CHARACTERS = 250;

        /** Human-readable differences that could make a redelivered message count twice. */
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
            return Stream.concat(counted.stream(), indexed.stream()).toList();
        }

        /** The first differences, cut short because the message has to end with what to do. */
        private String listed() {
            List<String> all = all();
            String first = all.stream().limit(MAX_LISTED).map(difference -> difference.length() <= MAX_CHARACTERS ? difference
                    : difference.substring(0, MAX_CHARACTERS) + "…").collect(Collectors.joining("; "));
            return all.size() <= MAX_LISTED ? first : first + "; and " + (all.size() - MAX_LISTED) + " more";
        }

        /** @param fingerprint accepts the declared datasets */
        InvalidInputException refusal(String table, String fingerprint) {
            StringBuilder text = new StringBuilder("must be those that table ").append(table).append(" was written with: ")
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
}
