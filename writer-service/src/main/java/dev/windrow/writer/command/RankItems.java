package dev.windrow.writer.command;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;

import dev.windrow.dataset.Dataset;
import dev.windrow.dataset.Datasets;
import dev.windrow.dataset.DatasetsYaml;
import dev.windrow.dataset.Rank;
import dev.windrow.table.BucketKey;
import dev.windrow.table.SeriesKey;
import dev.windrow.table.TableSchema;
import dev.windrow.writer.store.RankKeys;
import software.amazon.awssdk.services.dynamodb.DynamoDbAsyncClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.ConditionalCheckFailedException;
import software.amazon.awssdk.services.dynamodb.model.ReturnConsumedCapacity;
import software.amazon.awssdk.services.dynamodb.model.ScanResponse;
import software.amazon.awssdk.services.dynamodb.model.UpdateItemResponse;

/**
 * Puts all items into the leaderboards of their datasets, and then records in the table that these are complete. It reads
 * the table page by page, within its limit, and keeps its progress in the table, so that it continues there when it is run
 * again.
 */
final class RankItems {

    private static final int PAGE = 500;
    private static final int CONCURRENT_UPDATES = 25;

    private final DynamoDbAsyncClient dynamoDb;
    private final String table;
    private final Datasets datasets;
    private final double unitsPerSecond;
    private final RankKeys ranks;
    private final RankRegistration registration;
    private final RankProgress progress;
    private long read;
    private long written;

    /** @param unitsPerSecond maximum of read and write units together */
    RankItems(DynamoDbAsyncClient dynamoDb, String table, Datasets datasets, double unitsPerSecond) {
        this.dynamoDb = dynamoDb;
        this.table = table;
        this.datasets = datasets;
        this.unitsPerSecond = unitsPerSecond;
        this.ranks = RankKeys.of(datasets);
        this.registration = new RankRegistration(dynamoDb, table, ranked().toList());
        this.progress = new RankProgress(dynamoDb, table, ranked().map(dataset -> dataset.name() + " "
                + Rank.lines(dataset.ranks())).collect(Collectors.joining("\n")));
    }

    static String run(CommandSettings settings) {
        try (DynamoDbAsyncClient dynamoDb = CommandClients.dynamoDb(settings)) {
            return new RankItems(dynamoDb, settings.table(), DatasetsYaml.read(settings.datasetsFile()),
                    settings.rankUnits()).run();
        }
    }

    private Stream<Dataset> ranked() {
        return datasets.all().stream().filter(dataset -> !dataset.ranks().isEmpty());
    }

    /**
     * @throws IllegalStateException if no writer has registered its datasets in the table, or a label of a dataset is
     *         spread over key shards
     */
    String run() {
        if (ranked().findAny().isEmpty()) {
            return "no dataset declares a rank";
        }
        registration.begin(progress::end);
        Map<String, AttributeValue> from = progress.read();
        while (from != null) {
            from = step(from);
        }
        registration.complete();
        progress.end();
        return "items read: %d%nitems written: %d%ncomplete leaderboards: %s".formatted(read, written, ranked()
                .map(dataset -> dataset.name() + " by " + dataset.ranks().stream().map(Rank::by).toList())
                .collect(Collectors.joining(", ")));
    }

    /**
     * Reads a page and writes what it lacks.
     *
     * @param from the last key of the previous page; empty for the first page
     * @return where this one ended; null at the end
     */
    private @Nullable Map<String, AttributeValue> step(Map<String, AttributeValue> from) {
        long startNanos = System.nanoTime();
        ScanResponse page = scan(from);
        double units = page.consumedCapacity() == null ? 0 : page.consumedCapacity().capacityUnits();
        List<CompletableFuture<Double>> updates = new ArrayList<>();
        for (Map<String, AttributeValue> item : page.items()) {
            Map<String, String> lacking = lacking(item);
            if (!lacking.isEmpty()) {
                updates.add(update(item, lacking));
                written++;
            }
            if (updates.size() == CONCURRENT_UPDATES) {
                units += await(updates);
            }
        }
        units += await(updates);
        read += page.items().size();
        pause(units, startNanos);
        if (!page.hasLastEvaluatedKey() || page.lastEvaluatedKey().isEmpty()) {
            return null;
        }
        progress.keep(page.lastEvaluatedKey());
        return page.lastEvaluatedKey();
    }

    private ScanResponse scan(Map<String, AttributeValue> from) {
        Map<String, String> names = new HashMap<>(Map.of("#pk", TableSchema.PK, "#sk", TableSchema.SK));
        datasets.rankedMeasures().forEach(measure -> names.put("#" + names.size(), TableSchema.rankAttribute(measure)));
        return CommandClients.await(dynamoDb.scan(scan -> scan.tableName(table).limit(PAGE)
                .projectionExpression(String.join(",", names.keySet())).expressionAttributeNames(names)
                .exclusiveStartKey(from.isEmpty() ? null : from).returnConsumedCapacity(ReturnConsumedCapacity.TOTAL)));
    }

    private Map<String, String> lacking(Map<String, AttributeValue> item) {
        Map<String, String> lacking = new HashMap<>(
                ranks.attributes(text(item, TableSchema.PK), text(item, TableSchema.SK)));
        if (!lacking.isEmpty()) {
            requireFirstKeyShard(BucketKey.ofTableKeys(text(item, TableSchema.PK), text(item, TableSchema.SK)).series());
        }
        lacking.entrySet().removeIf(attribute -> attribute.getValue().equals(text(item, attribute.getKey())));
        return lacking;
    }

    /** A label that was spread over key shards has several items in a bucket: a leaderboard would list it in parts. */
    private static void requireFirstKeyShard(SeriesKey series) {
        if (series.keyShard() > 0) {
            throw new IllegalStateException("windrow.datasets." + series.dataset() + ".key-shards: expected a dataset that has"
                    + " had one key shard from the beginning, as a rank needs; found label " + series.label().values()
                    + " in key shard " + series.keyShard()
                    + ", written before. Declare the rank for a dataset of another name");
        }
    }

    private static String text(Map<String, AttributeValue> item, String attribute) {
        AttributeValue value = item.get(attribute);
        return value == null || value.s() == null ? "" : value.s();
    }

    /** The units consumed; an item that was deleted meanwhile is not created again. */
    private CompletableFuture<Double> update(Map<String, AttributeValue> item, Map<String, String> attributes) {
        Map<String, String> names = new HashMap<>(Map.of("#pk", TableSchema.PK));
        Map<String, AttributeValue> values = new HashMap<>();
        List<String> sets = new ArrayList<>();
        attributes.forEach((attribute, key) -> {
            String number = Integer.toString(sets.size());
            names.put("#" + number, attribute);
            values.put(":" + number, AttributeValue.fromS(key));
            sets.add("#" + number + " = :" + number);
        });
        Map<String, AttributeValue> itemKey = Map.of(TableSchema.PK, AttributeValue.fromS(text(item, TableSchema.PK)),
                TableSchema.SK, AttributeValue.fromS(text(item, TableSchema.SK)));
        return dynamoDb.updateItem(update -> update.tableName(table).key(itemKey)
                .updateExpression("SET " + String.join(", ", sets)).conditionExpression("attribute_exists(#pk)")
                .expressionAttributeNames(names).expressionAttributeValues(values)
                .returnConsumedCapacity(ReturnConsumedCapacity.TOTAL))
                .thenApply(RankItems::units)
                .exceptionally(failure -> {
                    if (failure.getCause() instanceof ConditionalCheckFailedException) {
                        return 1.0;
                    }
                    throw failure instanceof CompletionException known ? known : new CompletionException(failure);
                });
    }

    private static double units(UpdateItemResponse response) {
        return response.consumedCapacity() == null ? 1 : response.consumedCapacity().capacityUnits();
    }

    private static double await(List<CompletableFuture<Double>> updates) {
        double units = 0;
        for (CompletableFuture<Double> update : updates) {
            units += CommandClients.await(update);
        }
        updates.clear();
        return units;
    }

    private void pause(double units, long startNanos) {
        long left = (long) (units / unitsPerSecond * TimeUnit.SECONDS.toNanos(1)) - (System.nanoTime() - startNanos);
        try {
            TimeUnit.NANOSECONDS.sleep(left);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted", e);
        }
    }
}
