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
import dev.windrow.writer.aggregate.BucketUpsert;
import dev.windrow.writer.aggregate.Plan;
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

    /**
     * Adds counts and sums; null if there is nothing to add.
     *
     * @throws WriteFailedException with {@link Reason#NUMBER_OUT_OF_RANGE} if the contributions together are no number
     *         that DynamoDB holds
     */
    public @Nullable BucketUpdate additive(Plan plan, SeriesKey series, String partitionKey, BucketUpsert upsert) {
        List<Measure> measures = plan.measures();
        Map<String, String> names = new HashMap<>();
        Map<String, Value> values = new HashMap<>();
        StringBuilder add = new StringBuilder();
        for (int i = 0; i < measures.size(); i++) {
            MeasureValue value = upsert.totals().value(measures, i);
            if (measures.get(i).kind().isAdditive() && value != null) {
                add.append(add.length() == 0 ? "ADD " : ", ").append("#m").append(i).append(" :m").append(i);
                names.put("#m" + i, TableSchema.measureAttribute(measures.get(i).name()));
                values.put(":m" + i, number(partitionKey, upsert, measures.get(i).name(), value.value()));
            }
        }
        if (add.length() == 0) {
            return null;
        }
        String set = indexKeys(plan.dataset(), series, upsert, values);
        return new BucketUpdate(partitionKey, sortKey(upsert), set.isEmpty() ? add.toString() : "SET " + set + " " + add, null,
                names, values);
    }

    /**
     * Replaces an extreme if it is beaten; the condition fails, and gives back the item, if not.
     *
     * @param measure its position in the dataset
     */
    public BucketUpdate extreme(Plan plan, SeriesKey series, String partitionKey, BucketUpsert upsert, int measure,
            MeasureValue value) {
        MeasureKind kind = plan.measures().get(measure).kind();
        String name = plan.measures().get(measure).name();
        Map<String, String> names = new HashMap<>(Map.of("#m", TableSchema.measureAttribute(name)));
        Map<String, Value> values = new HashMap<>(Map.of(":m", number(partitionKey, upsert, name, value.value())));
        String beats = kind == MeasureKind.MIN || kind == MeasureKind.FIRST ? " < " : " > ";
        String set = "#m = :m";
        String condition = "attribute_not_exists(#m) OR :m" + beats + "#m";
        if (value.time() != null) {
            names.put("#t", TableSchema.measureTimeAttribute(name));
            values.put(":t", Value.number(Decimals.canonical(seconds(value.time()))));
            set += ", #t = :t";
            condition = "attribute_not_exists(#t) OR :t" + beats + "#t OR (:t = #t AND :m" + beats + "#m)";
        }
        String index = indexKeys(plan.dataset(), series, upsert, values);
        return new BucketUpdate(partitionKey, sortKey(upsert), "SET " + set + (index.isEmpty() ? "" : ", " + index), condition,
                names, values);
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
                    + ": expected contributions whose sum has at most 38 digits (" + NamedWrites.label(partitionKey)
                    + ", bucket " + sortKey(upsert) + ", attribute " + TableSchema.measureAttribute(measure) + ")");
        }
        return Value.number(Decimals.canonical(number));
    }
}
