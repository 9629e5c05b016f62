package dev.windrow.writer.operate;

import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

import org.jspecify.annotations.Nullable;

import dev.windrow.dataset.Dataset;
import dev.windrow.dataset.Datasets;
import dev.windrow.dataset.DatasetsYaml;
import dev.windrow.table.BucketKey;
import dev.windrow.table.SeriesKey;
import dev.windrow.table.TableSchema;
import software.amazon.awssdk.services.dynamodb.DynamoDbAsyncClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/**
 * Gives existing buckets the expiry that is declared now, which writers would set only with the next update. Buckets of
 * undeclared datasets or granularities are left unchanged. Not thread-safe.
 */
final class Expire implements ItemVisitor {

    /** Earliest expiry that is set, in years before now: DynamoDB never deletes items that expired over five years ago. */
    private static final int YEARS_DELETED = 3;

    private final Datasets datasets;
    private final SweepProgress progress;
    private final TableSweep sweep;
    private final Instant earliest;
    private final SweepCounts set = new SweepCounts();
    private final SweepCounts removed = new SweepCounts();
    private final SweepCounts undeclared = new SweepCounts();
    private long others;

    Expire(DynamoDbAsyncClient dynamoDb, String table, Datasets datasets, double unitsPerSecond, CommandTime time,
            Instant now) {
        this.datasets = datasets;
        this.progress = new SweepProgress(dynamoDb, table, "expire", datasets.all().stream()
                .map(dataset -> dataset.name() + " " + dataset.granularities() + " " + dataset.retention().kept()).sorted()
                .collect(Collectors.joining("\n")));
        this.sweep = new TableSweep(dynamoDb, table, unitsPerSecond, time);
        // Constant for a year, so that a second run finds such items unchanged.
        this.earliest = now.atOffset(ZoneOffset.UTC).minusYears(YEARS_DELETED).toLocalDate().withDayOfYear(1)
                .atStartOfDay(ZoneOffset.UTC).toInstant();
    }

    static String run(CommandSettings settings) {
        try (DynamoDbAsyncClient dynamoDb = settings.dynamoDb()) {
            return new Expire(dynamoDb, settings.table(), DatasetsYaml.read(settings.datasetsFile()),
                    settings.checked(SweepConfig.class).maxUnits(), CommandTime.SYSTEM, Instant.now()).run();
        }
    }

    String run() {
        SweepPass pass = sweep.scan(List.of(TableSchema.TTL), progress, this);
        String done = "items read: %d%nttl set: %s%nttl removed: %s".formatted(pass.read(), set, removed);
        if (!undeclared.isEmpty()) {
            done += "%nleft alone, as the dataset file does not declare them: %s".formatted(undeclared);
        }
        return others == 0 ? done : done + "%nleft alone, as they are no buckets: %d".formatted(others);
    }

    @Override
    public Optional<ItemChange> change(Map<String, AttributeValue> item) {
        String partitionKey = TableSweep.text(item, TableSchema.PK);
        if (partitionKey.startsWith(TableSchema.OWN_PREFIX)) {
            return Optional.empty();
        }
        BucketKey bucket = BucketKey.ofItem(partitionKey, TableSweep.text(item, TableSchema.SK)).orElse(null);
        if (bucket == null) {
            others++;
            return Optional.empty();
        }
        SeriesKey series = bucket.series();
        Dataset dataset = datasets.named(series.dataset()).orElse(null);
        if (dataset == null || !dataset.granularities().contains(bucket.granularity())) {
            undeclared.add(series.dataset() + (dataset == null ? "" : " by " + bucket.granularity()));
            return Optional.empty();
        }
        if (series.label().values().size() != dataset.label().size()) {
            others++;
            return Optional.empty();
        }
        return change(item.get(TableSchema.TTL), dataset.retention().deletion(bucket.granularity(), bucket.start()));
    }

    private Optional<ItemChange> change(@Nullable AttributeValue now, @Nullable Instant deletion) {
        if (deletion == null) {
            return now == null ? Optional.empty() : Optional.of(new ItemChange.Remove(TableSchema.TTL));
        }
        Instant expiry = deletion.isBefore(earliest) ? earliest : deletion;
        AttributeValue declared = AttributeValue.fromN(Long.toString(expiry.getEpochSecond()));
        return declared.equals(now) ? Optional.empty() : Optional.of(new ItemChange.Set(Map.of(TableSchema.TTL, declared)));
    }

    @Override
    public void changed(Map<String, AttributeValue> item, ItemChange change) {
        (change instanceof ItemChange.Remove ? removed : set).add(SeriesKey.dataset(TableSweep.text(item, TableSchema.PK)));
    }
}
