package dev.windrow.writer.operate;

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

import dev.windrow.base.SettingRange;
import dev.windrow.dataset.Dataset;
import dev.windrow.dataset.Datasets;
import dev.windrow.dataset.DatasetsYaml;
import dev.windrow.dataset.Rank;
import dev.windrow.table.BucketKey;
import dev.windrow.table.SeriesKey;
import dev.windrow.table.TableSchema;
import dev.windrow.writer.operate.WriterMain.CommandClients;
import dev.windrow.writer.operate.WriterMain.CommandSettings;
import dev.windrow.writer.table.RankKeys;
import io.quarkus.runtime.annotations.RegisterForReflection;
import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;
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
final class RankCommand {

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
    RankCommand(DynamoDbAsyncClient dynamoDb, String table, Datasets datasets, double unitsPerSecond) {
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
            return new RankCommand(dynamoDb, settings.table(), DatasetsYaml.read(settings.datasetsFile()),
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
                .thenApply(RankCommand::units)
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

    /** An item beside the registered datasets, or theirs. */
    private record RegistryItem(DynamoDbAsyncClient dynamoDb, String table, String sortKey) {

        private Map<String, AttributeValue> key() {
            return Map.of(TableSchema.PK, AttributeValue.fromS(TableSchema.DATASETS_PK), TableSchema.SK,
                    AttributeValue.fromS(sortKey));
        }

        Map<String, AttributeValue> read() {
            return CommandClients.await(dynamoDb.getItem(get -> get.tableName(table).key(key()).consistentRead(true))).item();
        }

        /**
         * @param condition null for none
         * @param values none for an update that needs none
         */
        void update(String expression, @Nullable String condition, Map<String, String> names,
                Map<String, AttributeValue> values) {
            CommandClients.await(dynamoDb.updateItem(update -> update.tableName(table).key(key()).updateExpression(expression)
                    .conditionExpression(condition).expressionAttributeNames(names)
                    .expressionAttributeValues(values.isEmpty() ? null : values)));
        }
    }

    /** Records in the item of the registered datasets which leaderboards are being completed, and which are complete. */
    static final class RankRegistration {

        private final RegistryItem item;
        private final List<Dataset> ranked;

        /** @param ranked the datasets with leaderboards */
        RankRegistration(DynamoDbAsyncClient dynamoDb, String table, List<Dataset> ranked) {
            this.item = new RegistryItem(dynamoDb, table, TableSchema.DATASETS_SK);
            this.ranked = ranked;
        }

        /**
         * Records that the leaderboards are being completed. Requires registered datasets: in a table without any, the next
         * writer would find changed ones.
         *
         * @param restart is run before, if the table has to be read from its beginning, since other leaderboards were being
         *        completed, or writers have started that do not keep them; a command that ends in between starts over again
         */
        void begin(Runnable restart) {
            Map<String, AttributeValue> before = item.read();
            for (Dataset dataset : ranked) {
                if (!before.containsKey(TableSchema.datasetAttribute(dataset.name()))) {
                    throw new IllegalStateException("expected a table that a writer with dataset " + dataset.name()
                            + " has used: start the writers first");
                }
            }
            if (ranked.stream().anyMatch(
                    dataset -> !lines(dataset).equals(before.get(TableSchema.rankingAttribute(dataset.name()))))) {
                restart.run();
            }
            ranked.forEach(dataset -> begin(dataset, before.get(TableSchema.rankingAttribute(dataset.name()))));
        }

        private void begin(Dataset dataset, @Nullable AttributeValue before) {
            Map<String, AttributeValue> values = new HashMap<>(Map.of(":lines", lines(dataset)));
            if (before != null) {
                values.put(":before", before);
            }
            try {
                item.update("SET #c = :lines", before == null ? "attribute_not_exists(#c)" : "#c = :before",
                        Map.of("#c", TableSchema.rankingAttribute(dataset.name())), values);
            } catch (ConditionalCheckFailedException changed) {
                throw new IllegalStateException("expected that no writer starts at this moment, but one has registered dataset "
                        + dataset.name() + ": run the command again", changed);
            }
        }

        private static AttributeValue lines(Dataset dataset) {
            return AttributeValue.fromS(Rank.lines(dataset.ranks()));
        }

        /** Records that the leaderboards are complete, unless a writer that does not keep them has started meanwhile. */
        void complete() {
            for (Dataset dataset : ranked) {
                try {
                    item.update("SET #k = :lines REMOVE #c", "#c = :lines",
                            Map.of("#k", TableSchema.rankedAttribute(dataset.name()), "#c",
                                    TableSchema.rankingAttribute(dataset.name())),
                            Map.of(":lines", lines(dataset)));
                } catch (ConditionalCheckFailedException changed) {
                    throw new IllegalStateException("expected that all writers keep the ranks of dataset " + dataset.name()
                            + ", but one without them has started meanwhile: replace it and run the command again", changed);
                }
            }
        }
    }

    /** How far the command that completes leaderboards has come, in an item beside the registered datasets. */
    static final class RankProgress {

        private static final String RANKS = "ranks";
        private static final String LAST_PK = "last-pk";
        private static final String LAST_SK = "last-sk";

        private final RegistryItem item;
        private final String ranks;

        /** @param ranks the leaderboards to complete; progress with others does not count */
        RankProgress(DynamoDbAsyncClient dynamoDb, String table, String ranks) {
            this.item = new RegistryItem(dynamoDb, table, "rank");
            this.ranks = ranks;
        }

        /** The key of the last item that was processed; empty if there is none. */
        Map<String, AttributeValue> read() {
            Map<String, AttributeValue> known = item.read();
            AttributeValue of = known.get(RANKS);
            AttributeValue pk = known.get(LAST_PK);
            AttributeValue sk = known.get(LAST_SK);
            boolean same = of != null && ranks.equals(of.s());
            return same && pk != null && sk != null ? Map.of(TableSchema.PK, pk, TableSchema.SK, sk) : Map.of();
        }

        void keep(Map<String, AttributeValue> last) {
            Map<String, AttributeValue> values = new HashMap<>(Map.of(":r", AttributeValue.fromS(ranks)));
            values.put(":p", last.get(TableSchema.PK));
            values.put(":s", last.get(TableSchema.SK));
            item.update("SET #r = :r, #p = :p, #s = :s", null, Map.of("#r", RANKS, "#p", LAST_PK, "#s", LAST_SK), values);
        }

        /** All items are dealt with: the next run starts from the beginning. */
        void end() {
            item.update("REMOVE #r", null, Map.of("#r", RANKS), Map.of());
        }
    }

    /** Settings of the command {@code rank}. */
    @RegisterForReflection
    @ConfigMapping(prefix = "windrow.rank")
    public interface RankConfig {

        /**
         * Maximum rate, on average, at which completing leaderboards consumes read and write units.
         */
        @SettingRange(unit = "units per second", above = "0")
        @WithDefault("200")
        double maxUnits();
    }
}
