package dev.windrow.writer.testing;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

import dev.windrow.dataset.MeasureKind.Part;
import dev.windrow.table.BucketKey;
import dev.windrow.table.SeriesKey;
import dev.windrow.table.TableSchema;
import software.amazon.awssdk.services.dynamodb.DynamoDbAsyncClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.ScanRequest;
import software.amazon.awssdk.services.dynamodb.model.ScanResponse;

/** The table's buckets, read straight from it. */
public final class Buckets {

    private final DynamoDbAsyncClient dynamoDb;
    private final String table;

    public Buckets(DynamoDbAsyncClient dynamoDb, String table) {
        this.dynamoDb = dynamoDb;
        this.table = table;
    }

    /** All buckets. */
    public List<Map<String, AttributeValue>> items(String dataset) {
        List<Map<String, AttributeValue>> items = new ArrayList<>();
        for (Map<String, AttributeValue> item : all()) {
            if (item.get(TableSchema.PK).s().startsWith("~")) {
                continue;
            }
            SeriesKey series = SeriesKey.ofPartitionKey(item.get(TableSchema.PK).s());
            if (series.dataset().equals(dataset) && !item.get(TableSchema.SK).s().startsWith("~")) {
                items.add(item);
            }
        }
        return items;
    }

    /** What remembers what was counted, in either format. */
    public List<Map<String, AttributeValue>> slots() {
        return all().stream().filter(
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
            AttributeValue value = item.get(Part.VALUE.attribute(measure));
            if (value != null && value.n() != null) {
                BucketKey bucket = BucketKey.ofTableKeys(item.get(TableSchema.PK).s(), item.get(TableSchema.SK).s());
                String name = String.join(",", bucket.series().label().values()) + " "
                        + BucketKey.sortKey(bucket.granularity(), bucket.start());
                values.merge(name, new BigDecimal(value.n()), BigDecimal::add);
            }
        }
        return values;
    }

    /** The journal's lanes. */
    public List<Map<String, AttributeValue>> lanes() {
        return all().stream().filter(item -> item.get(TableSchema.SK).s().equals(TableSchema.LANE_SK)).toList();
    }

    private List<Map<String, AttributeValue>> all() {
        List<Map<String, AttributeValue>> items = new ArrayList<>();
        Map<String, AttributeValue> from = new HashMap<>();
        do {
            Map<String, AttributeValue> start = from.isEmpty() ? null : from;
            ScanResponse page = dynamoDb.scan(ScanRequest.builder().tableName(table).consistentRead(true)
                    .exclusiveStartKey(start).build()).join();
            items.addAll(page.items());
            from = page.lastEvaluatedKey();
        } while (!from.isEmpty());
        return items;
    }
}
