package dev.windrow.writer.store;

import java.math.BigDecimal;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;

import org.jspecify.annotations.Nullable;

import dev.windrow.dataset.Dataset;
import dev.windrow.key.BucketKey;
import dev.windrow.key.SeriesKey;
import dev.windrow.measure.Decimals;
import dev.windrow.measure.Measure;
import dev.windrow.measure.MeasureKind;
import dev.windrow.measure.MeasureValue;
import dev.windrow.reason.Reason;
import dev.windrow.table.TableSchema;
import dev.windrow.writer.aggregate.AggregationPlan;
import dev.windrow.writer.aggregate.BucketUpsert;
import dev.windrow.writer.store.BucketUpdate.Value;

/**
 * Writes upserts as update expressions. The scatter shard is set once and kept: an item that changed its shard would move
 * between index partitions at two index writes instead of one.
 */
public final class BucketUpdates {

    private final RandomGenerator random;

    /** @param random drawn from for datasets that scatter at random; safe for use by many threads */
    public BucketUpdates(RandomGenerator random) {
        this.random = random;
    }

    /** Whether there is anything to add. */
    static boolean adds(AggregationPlan plan, BucketUpsert upsert) {
        List<Measure> measures = plan.measures();
        for (int i = 0; i < measures.size(); i++) {
            if (measures.get(i).kind().isAdditive() && upsert.totals().value(measures, i) != null) {
                return true;
            }
        }
        return false;
    }

    /**
     * Adds counts and sums, provided that the item holds extremes at least as good as these; null if there is nothing to
     * add. The condition costs nothing, and finds out where an item was deleted, expired or replaced by an older one.
     *
     * @throws WriteFailedException with {@link Reason#NUMBER_OUT_OF_RANGE} if the contributions together are no number
     *         that DynamoDB holds
     */
    public @Nullable BucketUpdate additive(AggregationPlan plan, SeriesKey series, String partitionKey, BucketUpsert upsert) {
        List<Measure> measures = plan.measures();
        Map<String, String> names = new HashMap<>();
        Map<String, Value> values = new HashMap<>();
        StringBuilder add = new StringBuilder();
        StringBuilder held = new StringBuilder();
        for (int i = 0; i < measures.size(); i++) {
            MeasureValue value = upsert.totals().value(measures, i);
            if (value != null && !measures.get(i).kind().isAdditive()) {
                hold(held, measures.get(i), i, value, partitionKey, upsert, names, values);
            } else if (value != null) {
                add.append(add.length() == 0 ? "ADD " : ", ").append("#m").append(i).append(" :m").append(i);
                names.put("#m" + i, TableSchema.measureAttribute(measures.get(i).name()));
                values.put(":m" + i, number(partitionKey, upsert, measures.get(i).name(), value.value()));
            }
        }
        if (add.length() == 0) {
            return null;
        }
        String set = indexKeys(plan.dataset(), series, upsert, values);
        return new BucketUpdate(partitionKey, sortKey(upsert), set.isEmpty() ? add.toString() : "SET " + set + " " + add,
                held.length() == 0 ? null : held.toString(), names, values);
    }

    /** Demands that the item holds an extreme that this one does not beat. */
    private static void hold(StringBuilder held, Measure measure, int index, MeasureValue value, String partitionKey,
            BucketUpsert upsert, Map<String, String> names, Map<String, Value> values) {
        held.append(held.length() == 0 ? "" : " AND ").append(ExtremeConditions.held(measure.kind(), index));
        names.put("#e" + index, TableSchema.measureAttribute(measure.name()));
        values.put(":e" + index, number(partitionKey, upsert, measure.name(), value.value()));
        if (value.time() != null) {
            names.put("#t" + index, TableSchema.measureTimeAttribute(measure.name()));
            values.put(":t" + index, Value.number(Decimals.canonical(seconds(value.time()))));
        }
    }

    /**
     * Replaces an extreme if it is beaten; the condition fails, and gives back the item, if not.
     *
     * @param measure its position in the dataset
     */
    public BucketUpdate extreme(AggregationPlan plan, SeriesKey series, String partitionKey, BucketUpsert upsert, int measure,
            MeasureValue value) {
        MeasureKind kind = plan.measures().get(measure).kind();
        String name = plan.measures().get(measure).name();
        Map<String, String> names = new HashMap<>(Map.of("#m", TableSchema.measureAttribute(name)));
        Map<String, Value> values = new HashMap<>(Map.of(":m", number(partitionKey, upsert, name, value.value())));
        String set = "#m = :m";
        if (value.time() != null) {
            names.put("#t", TableSchema.measureTimeAttribute(name));
            values.put(":t", Value.number(Decimals.canonical(seconds(value.time()))));
            set += ", #t = :t";
        }
        String index = indexKeys(plan.dataset(), series, upsert, values);
        return new BucketUpdate(partitionKey, sortKey(upsert), "SET " + set + (index.isEmpty() ? "" : ", " + index),
                ExtremeConditions.beaten(kind), names, values);
    }

    /** An instant in exact decimal seconds since the epoch, as the table keeps it. */
    static BigDecimal seconds(Instant time) {
        return BigDecimal.valueOf(time.getEpochSecond()).add(BigDecimal.valueOf(time.getNano(), 9));
    }

    private String indexKeys(Dataset dataset, SeriesKey series, BucketUpsert upsert, Map<String, Value> values) {
        if (!dataset.isIndexed(upsert.granularity())) {
            return "";
        }
        Instant start = Instant.ofEpochSecond(upsert.startSecond());
        BucketKey bucket = new BucketKey(series, upsert.granularity(), start);
        String sortKey = bucket.indexSortKey();
        int shard = dataset.scatter().shardOf(start, sortKey, random);
        values.put(":ipk", Value.text(bucket.indexPartitionKey(shard)));
        values.put(":isk", Value.text(sortKey));
        return TableSchema.INDEX_PK + " = if_not_exists(" + TableSchema.INDEX_PK + ", :ipk), " + TableSchema.INDEX_SK
                + " = if_not_exists(" + TableSchema.INDEX_SK + ", :isk)";
    }

    private static String sortKey(BucketUpsert upsert) {
        return BucketKey.sortKey(upsert.granularity(), Instant.ofEpochSecond(upsert.startSecond()));
    }

    private static Value number(String partitionKey, BucketUpsert upsert, String measure, BigDecimal number) {
        if (!Decimals.fits(number)) {
            throw new WriteFailedException(Reason.NUMBER_OUT_OF_RANGE, measure
                    + ": expected contributions whose sum has at most 38 digits (" + FailureContextWrites.label(partitionKey)
                    + ", bucket " + sortKey(upsert) + ", attribute " + TableSchema.measureAttribute(measure) + ")");
        }
        return Value.number(Decimals.canonical(number));
    }
}
