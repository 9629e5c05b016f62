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
import dev.windrow.writer.operate.TableSweep.Change;
import dev.windrow.writer.operate.TableSweep.Counts;
import dev.windrow.writer.operate.TableSweep.Pass;
import dev.windrow.writer.operate.TableSweep.Progress;
import dev.windrow.writer.operate.TableSweep.SweepConfig;
import dev.windrow.writer.operate.TableSweep.Time;
import dev.windrow.writer.operate.TableSweep.Visitor;
import dev.windrow.writer.operate.WriterMain.CommandSettings;
import software.amazon.awssdk.services.dynamodb.DynamoDbAsyncClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/**
 * Gives existing buckets the expiry that is declared now, which writers would set only with the next update. Buckets of
 * undeclared datasets or granularities are left unchanged. Not thread-safe.
 */
final class Expire implements Visitor {

    /** Earliest expiry that is set, in years before now: DynamoDB never deletes items that expired over five years ago. */
    private static final int YEARS_DELETED = 3;

    private final Datasets datasets;
    private final Progress progress;
    private final TableSweep sweep;
    private final Instant earliest;
    private final Counts set = new Counts();
    private final Counts removed = new Counts();
    private final Counts undeclared = new Counts();
    private long others;

    Expire(DynamoDbAsyncClient dynamoDb, String table, Datasets datasets, double unitsPerSecond, Time time, Instant now) {
        this.datasets = datasets;
        this.progress = new Progress(dynamoDb, table, "expire", datasets.all().stream()
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
                    settings.checked(SweepConfig.class).maxUnits(), Time.SYSTEM, Instant.now()).run();
        }
    }

    String run() {
        Pass pass = sweep.scan(List.of(TableSchema.TTL), progress, this);
        String done = "items read: %d%nttl set: %s%nttl removed: %s".formatted(pass.read(), set, removed);
        if (!undeclared.isEmpty()) {
            done += "%nleft alone, as the dataset file does not declare them: %s".formatted(undeclared);
        }
        return others == 0 ? done : done + "%nleft alone, as they are no buckets: %d".formatted(others);
    }

    @Override
    public Optional<Change> change(Map<String, AttributeValue> item) {
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

    private Optional<Change> change(@Nullable AttributeValue now, @Nullable Instant deletion) {
        if (deletion == null) {
            return now == null ? Optional.empty() : Optional.of(new Change.Remove(TableSchema.TTL));
        }
        Instant expiry = deletion.isBefore(earliest) ? earliest : deletion;
        AttributeValue declared = AttributeValue.fromN(Long.toString(expiry.getEpochSecond()));
        return declared.equals(now) ? Optional.empty() : Optional.of(new Change.Set(Map.of(TableSchema.TTL, declared)));
    }

    @Override
    public void changed(Map<String, AttributeValue> item, Change change) {
        (change instanceof Change.Remove ? removed : set).add(SeriesKey.dataset(TableSweep.text(item, TableSchema.PK)));
    }
}
