package dev.windrow.writer.operate;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
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
import dev.windrow.writer.table.DeclaredAttributes;
import software.amazon.awssdk.services.dynamodb.DynamoDbAsyncClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.ConditionalCheckFailedException;

/**
 * Adds all items to the leaderboards of their datasets, then records in the table that these are complete. It reads the table
 * page by page within a rate, and keeps its progress in the table, so that a later run continues from there.
 */
final class RankCommand {

    private final Datasets datasets;
    private final DeclaredAttributes declared;
    private final RankRegistration registration;
    private final SweepProgress progress;
    private final TableSweep sweep;

    RankCommand(DynamoDbAsyncClient dynamoDb, String table, Datasets datasets, double unitsPerSecond) {
        this.datasets = datasets;
        this.declared = DeclaredAttributes.of(datasets);
        this.registration = new RankRegistration(new RegistryItem(dynamoDb, table, TableSchema.DATASETS_SK),
                ranked(datasets).toList());
        this.progress = progress(dynamoDb, table, datasets);
        this.sweep = new TableSweep(dynamoDb, table, unitsPerSecond, CommandTime.SYSTEM);
    }

    static String run(CommandSettings settings) {
        try (DynamoDbAsyncClient dynamoDb = settings.dynamoDb()) {
            return new RankCommand(dynamoDb, settings.table(), DatasetsYaml.read(settings.datasetsFile()),
                    settings.checked(SweepConfig.class).maxUnits()).run();
        }
    }

    /** Returns the progress with the declared leaderboards; progress with others is ignored. */
    static SweepProgress progress(DynamoDbAsyncClient dynamoDb, String table, Datasets datasets) {
        return new SweepProgress(dynamoDb, table, "rank", ranked(datasets).map(dataset -> dataset.name() + " "
                + Rank.lines(dataset.ranks())).collect(Collectors.joining("\n")));
    }

    private static Stream<Dataset> ranked(Datasets datasets) {
        return datasets.all().stream().filter(dataset -> !dataset.ranks().isEmpty());
    }

    /**
     * @throws IllegalStateException if no writer has registered its datasets in the table, or a label of a dataset is
     *         spread over key shards
     */
    String run() {
        if (ranked(datasets).findAny().isEmpty()) {
            return "no dataset declares a rank";
        }
        registration.begin(progress::end);
        SweepPass pass = sweep.scan(datasets.rankedMeasures().stream().map(TableSchema::rankAttribute).toList(), progress,
                this::change);
        registration.complete();
        return "items read: %d%nitems written: %d%ncomplete leaderboards: %s".formatted(pass.read(), pass.changed(),
                ranked(datasets)
                        .map(dataset -> dataset.name() + " by " + dataset.ranks().stream().map(Rank::by).toList())
                        .collect(Collectors.joining(", ")));
    }

    /** Sets the rank attributes that an item lacks. */
    private Optional<ItemChange> change(Map<String, AttributeValue> item) {
        Map<String, String> keys = declared.ranks(TableSweep.text(item, TableSchema.PK), TableSweep.text(item, TableSchema.SK));
        if (!keys.isEmpty()) {
            requireFirstKeyShard(BucketKey
                    .ofTableKeys(TableSweep.text(item, TableSchema.PK), TableSweep.text(item, TableSchema.SK)).series());
        }
        Map<String, AttributeValue> lacking = new HashMap<>();
        keys.forEach((attribute, key) -> {
            if (!key.equals(TableSweep.text(item, attribute))) {
                lacking.put(attribute, AttributeValue.fromS(key));
            }
        });
        return lacking.isEmpty() ? Optional.empty() : Optional.of(new ItemChange.Set(lacking));
    }

    /** A label spread over key shards has several items in a bucket, so a leaderboard would list it in parts. */
    private static void requireFirstKeyShard(SeriesKey series) {
        if (series.keyShard() > 0) {
            throw new IllegalStateException("windrow.datasets." + series.dataset() + ".key-shards: a rank needs a dataset"
                    + " that has had one key shard from the beginning; found label " + series.label().values()
                    + " in key shard " + series.keyShard()
                    + ". Declare the rank for a dataset with another name");
        }
    }

    /** Records which leaderboards are being completed and which are complete, in the item of the registered datasets. */
    record RankRegistration(RegistryItem item, List<Dataset> ranked) {

        /**
         * Records that the leaderboards are being completed. Requires registered datasets: in a table without any, the next
         * writer would find changed ones.
         *
         * @param restart run first if the table must be read from its beginning: other leaderboards were being completed, or
         *        writers that do not maintain these have started. If the command ends in between, the next one restarts too
         */
        void begin(Runnable restart) {
            Map<String, AttributeValue> before = item.read();
            for (Dataset dataset : ranked) {
                if (!before.containsKey(TableSchema.datasetAttribute(dataset.name()))) {
                    throw new IllegalStateException("no writer with dataset " + dataset.name()
                            + " has used the table yet: start the writers first");
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
                throw new IllegalStateException("a writer has just registered dataset " + dataset.name()
                        + ": run the command again", changed);
            }
        }

        private static AttributeValue lines(Dataset dataset) {
            return AttributeValue.fromS(Rank.lines(dataset.ranks()));
        }

        /** Records that the leaderboards are complete, unless a writer that does not maintain them has started meanwhile. */
        void complete() {
            for (Dataset dataset : ranked) {
                try {
                    item.update("SET #k = :lines REMOVE #c", "#c = :lines",
                            Map.of("#k", TableSchema.rankedAttribute(dataset.name()), "#c",
                                    TableSchema.rankingAttribute(dataset.name())),
                            Map.of(":lines", lines(dataset)));
                } catch (ConditionalCheckFailedException changed) {
                    throw new IllegalStateException("a writer that does not keep the ranks of dataset " + dataset.name()
                            + " has started meanwhile: replace it and run the command again", changed);
                }
            }
        }
    }
}
