package dev.windrow.writer.testing;

import java.math.BigDecimal;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

import dev.windrow.dataset.MeasurePart;
import dev.windrow.table.BucketKey;
import dev.windrow.table.SeriesKey;
import dev.windrow.table.TableSchema;
import software.amazon.awssdk.services.dynamodb.DynamoDbAsyncClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** The table's buckets, read straight from it. */
public final class Buckets {

    private final Items items;

    public Buckets(DynamoDbAsyncClient dynamoDb, String table) {
        this.items = new Items(dynamoDb, table);
    }

    public List<Map<String, AttributeValue>> items(String dataset) {
        return items.buckets().stream()
                .filter(item -> SeriesKey.ofPartitionKey(item.get(TableSchema.PK).s()).dataset().equals(dataset)
                        && !item.get(TableSchema.SK).s().startsWith("~"))
                .toList();
    }

    /** What remembers what was counted, in either format. */
    public List<Map<String, AttributeValue>> slots() {
        return items.all().stream().filter(
                item -> item.get(TableSchema.SK).s().startsWith("~") || item.get(TableSchema.PK).s().startsWith("~slot"))
                .toList();
    }

    /**
     * A measure by label values joined with commas, granularity and start, key shards summed:
     * {@code "a,b minute#2026-…"}.
     */
    public Map<String, BigDecimal> measure(String dataset, String measure) {
        Map<String, BigDecimal> values = new TreeMap<>();
        for (Map<String, AttributeValue> item : items(dataset)) {
            AttributeValue value = item.get(MeasurePart.VALUE.attribute(measure));
            if (value != null && value.n() != null) {
                BucketKey bucket = BucketKey.ofTableKeys(item.get(TableSchema.PK).s(), item.get(TableSchema.SK).s());
                String name = String.join(",", bucket.series().label().values()) + " "
                        + BucketKey.sortKey(bucket.granularity(), bucket.start());
                values.merge(name, new BigDecimal(value.n()), BigDecimal::add);
            }
        }
        return values;
    }

    public List<Map<String, AttributeValue>> lanes() {
        return items.all().stream().filter(item -> item.get(TableSchema.SK).s().equals(TableSchema.LANE_SK)).toList();
    }
}
