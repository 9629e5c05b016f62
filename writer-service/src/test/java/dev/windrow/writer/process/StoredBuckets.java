package dev.windrow.writer.process;

import java.math.BigDecimal;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

import org.jspecify.annotations.Nullable;

import dev.windrow.dataset.MeasureKind.Part;
import dev.windrow.table.BucketKey;
import dev.windrow.table.TableSchema;
import dev.windrow.writer.testing.Items;
import software.amazon.awssdk.services.dynamodb.DynamoDbAsyncClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** Reads what a table holds, straight from its items. */
final class StoredBuckets {

    private StoredBuckets() {
    }

    /** Every bucket of a table, key shards added up. */
    static SortedMap<Bucket, Measures> read(DynamoDbAsyncClient dynamoDb, String table) {
        SortedMap<Bucket, Measures> buckets = new TreeMap<>();
        new Items(dynamoDb, table).buckets().forEach(item -> buckets.merge(bucket(item), measures(item), Measures::plus));
        return buckets;
    }

    /** The values in the index of the leaderboards by a measure, each under its item's bucket. */
    static SortedMap<Bucket, BigDecimal> leaderboards(DynamoDbAsyncClient dynamoDb, String table, String granularity,
            String measure) {
        SortedMap<Bucket, BigDecimal> ranked = new TreeMap<>();
        dynamoDb.scanPaginator(scan -> scan.tableName(table).indexName(TableSchema.rankIndex(measure))).items()
                .subscribe(item -> {
                    Bucket bucket = bucket(item);
                    String of = item.get(TableSchema.rankAttribute(measure)).s();
                    if (!of.startsWith("default#" + bucket.dataset() + "#" + bucket.granularity() + "#" + bucket.start())) {
                        throw new AssertionError(bucket + " is in the leaderboard " + of);
                    }
                    if (bucket.granularity().equals(granularity)) {
                        ranked.put(bucket, new BigDecimal(item.get(Part.VALUE.attribute(measure)).n())
                                .stripTrailingZeros());
                    }
                }).join();
        return ranked;
    }

    private static Bucket bucket(Map<String, AttributeValue> item) {
        BucketKey bucket = BucketKey.ofTableKeys(item.get(TableSchema.PK).s(), item.get(TableSchema.SK).s());
        return new Bucket(bucket.series().dataset(), String.join(" ", bucket.series().label().values()),
                bucket.granularity().name(), bucket.start().toString());
    }

    private static Measures measures(Map<String, AttributeValue> item) {
        return Measures.of(new BigDecimal(item.get(Part.VALUE.attribute("events")).n()),
                new BigDecimal(item.get(Part.VALUE.attribute("bytes")).n()), number(item, "largest"),
                number(item, "smallest"));
    }

    private static @Nullable BigDecimal number(Map<String, AttributeValue> item, String measure) {
        AttributeValue value = item.get(Part.VALUE.attribute(measure));
        return value == null ? null : new BigDecimal(value.n());
    }
}
