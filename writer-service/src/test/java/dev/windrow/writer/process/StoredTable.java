package dev.windrow.writer.process;

import java.math.BigDecimal;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;

import org.jspecify.annotations.Nullable;

import dev.windrow.dataset.MeasurePart;
import dev.windrow.table.BucketKey;
import dev.windrow.table.TableSchema;
import dev.windrow.writer.testing.Buckets;
import dev.windrow.writer.testing.Items;
import software.amazon.awssdk.services.dynamodb.DynamoDbAsyncClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** Reads the items of a table directly. */
record StoredTable(DynamoDbAsyncClient dynamoDb, String name) {

    /**
     * A bucket, its key shards taken together.
     *
     * @param label the label's values, joined by spaces
     * @param start RFC 3339
     */
    record Bucket(String dataset, String label, String granularity, String start) implements Comparable<Bucket> {

        private static final Comparator<Bucket> ORDER = Comparator.comparing(Bucket::dataset).thenComparing(Bucket::label)
                .thenComparing(Bucket::granularity).thenComparing(Bucket::start);

        @Override
        public int compareTo(Bucket other) {
            return ORDER.compare(this, other);
        }
    }

    /**
     * What a bucket holds, in the plainest form: numbers compare by value, whatever their scale.
     *
     * @param events the count
     * @param bytes the sum
     * @param largest the greatest value, absent where the dataset does not keep it
     * @param smallest likewise, the least
     */
    record Measures(BigDecimal events, BigDecimal bytes, @Nullable BigDecimal largest, @Nullable BigDecimal smallest) {

        static Measures of(BigDecimal events, BigDecimal bytes, @Nullable BigDecimal largest,
                @Nullable BigDecimal smallest) {
            return new Measures(plain(events), plain(bytes), largest == null ? null : plain(largest),
                    smallest == null ? null : plain(smallest));
        }

        Measures plus(Measures other) {
            return of(events.add(other.events), bytes.add(other.bytes),
                    largest == null || other.largest == null ? null : largest.max(other.largest),
                    smallest == null || other.smallest == null ? null : smallest.min(other.smallest));
        }

        private static BigDecimal plain(BigDecimal number) {
            return number.signum() == 0 ? BigDecimal.ZERO : number.stripTrailingZeros();
        }
    }

    /** Every bucket, key shards added up. */
    SortedMap<Bucket, Measures> buckets() {
        SortedMap<Bucket, Measures> buckets = new TreeMap<>();
        new Items(dynamoDb, name).buckets().forEach(item -> buckets.merge(bucket(item), measures(item), Measures::plus));
        return buckets;
    }

    SortedMap<Bucket, BigDecimal> leaderboards(String granularity, String measure) {
        SortedMap<Bucket, BigDecimal> ranked = new TreeMap<>();
        dynamoDb.scanPaginator(scan -> scan.tableName(name).indexName(TableSchema.rankIndex(measure))).items()
                .subscribe(item -> {
                    Bucket bucket = bucket(item);
                    String of = item.get(TableSchema.rankAttribute(measure)).s();
                    if (!of.startsWith("default#" + bucket.dataset() + "#" + bucket.granularity() + "#" + bucket.start())) {
                        throw new AssertionError(bucket + " is in the leaderboard " + of);
                    }
                    if (bucket.granularity().equals(granularity)) {
                        ranked.put(bucket, new BigDecimal(item.get(MeasurePart.VALUE.attribute(measure)).n())
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
        BigDecimal bytes = number(item, "bytes");
        return Measures.of(new BigDecimal(item.get(MeasurePart.VALUE.attribute("events")).n()),
                bytes == null ? BigDecimal.ZERO : bytes, number(item, "largest"), number(item, "smallest"));
    }

    private static @Nullable BigDecimal number(Map<String, AttributeValue> item, String measure) {
        AttributeValue value = item.get(MeasurePart.VALUE.attribute(measure));
        return value == null ? null : new BigDecimal(value.n());
    }

    /** Whether everything that was claimed is in its buckets; so it is if there are no lanes. */
    boolean isApplied() {
        return new Buckets(dynamoDb, name).lanes().stream().allMatch(lane -> lane.get("position").equals(lane.get("applied")));
    }

    List<String> keys() {
        return new Items(dynamoDb, name).all().stream()
                .map(item -> item.get(TableSchema.PK).s() + " " + item.get(TableSchema.SK).s()).toList();
    }

    /** All items by their kind, such as {@code ~lane}; buckets are under the empty text. */
    Map<String, List<Map<String, AttributeValue>>> itemsByKind() {
        return new Items(dynamoDb, name).all().stream().collect(Collectors.groupingBy(item -> {
            String key = item.get(TableSchema.PK).s();
            return key.startsWith("~") ? key.replaceFirst("#.*", "") : "";
        }));
    }
}
