package dev.windrow.gather.testing;

import java.math.BigDecimal;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;

import dev.windrow.dataset.Dataset;
import dev.windrow.dataset.Measure;
import dev.windrow.dataset.MeasurePart;
import dev.windrow.dataset.MeasureValue;
import dev.windrow.dataset.Rank;
import dev.windrow.event.Attribute;
import dev.windrow.event.Event;
import dev.windrow.table.BucketKey;
import dev.windrow.table.Label;
import dev.windrow.table.RankKey;
import dev.windrow.table.SeriesKey;
import dev.windrow.table.TableSchema;
import dev.windrow.time.Granularity;
import software.amazon.awssdk.services.dynamodb.DynamoDbAsyncClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.BatchWriteItemResponse;
import software.amazon.awssdk.services.dynamodb.model.PutRequest;
import software.amazon.awssdk.services.dynamodb.model.WriteRequest;

/** Aggregates events of one dataset in memory and puts the same items into the table as the writer would. */
public final class Aggregated {

    private static final int BATCH = 25;

    private final String tenant;
    private final Dataset dataset;
    private final RandomGenerator random;
    private final Map<BucketKey, Map<String, MeasureValue>> items = new LinkedHashMap<>();
    private final Map<BucketKey, Instant> firstEvents = new HashMap<>();

    /** @param random draws key shards, and scatter shards of the random strategy */
    public Aggregated(String tenant, Dataset dataset, RandomGenerator random) {
        this.tenant = tenant;
        this.dataset = dataset;
        this.random = random;
    }

    /** Adds an event with the same number for every measure's attribute; an empty text stands for no number. */
    public Aggregated event(Label label, Instant time, String number) {
        return event(label, time, number, dataset.granularities());
    }

    public Aggregated event(Label label, Instant time, Map<String, String> numbers) {
        return event(label, time, numbers, dataset.granularities());
    }

    public Aggregated event(Label label, Instant time, String number, List<Granularity> granularities) {
        Map<String, String> numbers = new LinkedHashMap<>();
        if (!number.isEmpty()) {
            dataset.measures().stream().flatMap(measure -> measure.source().stream())
                    .forEach(attribute -> numbers.put(attribute, number));
        }
        return event(label, time, numbers, granularities);
    }

    private Aggregated event(Label label, Instant time, Map<String, String> numbers, List<Granularity> granularities) {
        Map<String, Attribute> attributes = new LinkedHashMap<>();
        numbers.forEach((attribute, number) -> attributes.put(attribute, new Attribute.Decimal(new BigDecimal(number))));
        Event event = new Event(dataset.eventType(), time, null, tenant, attributes);
        int keyShard = random.nextInt(dataset.keyShards());
        for (Granularity granularity : granularities) {
            BucketKey key = new BucketKey(new SeriesKey(tenant, dataset.name(), label, dataset.partition(), keyShard),
                    granularity,
                    granularity.floor(time));
            Map<String, MeasureValue> values = items.computeIfAbsent(key, absent -> new LinkedHashMap<>());
            firstEvents.putIfAbsent(key, time);
            for (Measure measure : dataset.measures()) {
                BigDecimal brought = measure.broughtBy(event);
                if (brought != null) {
                    values.merge(measure.name(), measure.kind().valueOf(brought, time), measure.kind()::combine);
                }
            }
        }
        return this;
    }

    /** Adds an event whose number does not matter. */
    public Aggregated event(String label, String time) {
        return event(Label.of(label), Instant.parse(time), "1");
    }

    public void writeTo(DynamoDbAsyncClient client, String table) {
        List<WriteRequest> writes = new ArrayList<>();
        items.forEach((key, values) -> writes.add(WriteRequest.builder()
                .putRequest(PutRequest.builder().item(item(key, values)).build()).build()));
        for (int i = 0; i < writes.size(); i += BATCH) {
            List<WriteRequest> batch = writes.subList(i, Math.min(writes.size(), i + BATCH));
            BatchWriteItemResponse response = client.batchWriteItem(request -> request.requestItems(Map.of(table, batch)))
                    .join();
            if (!response.unprocessedItems().isEmpty()) {
                throw new IllegalStateException("the embedded table took only part of a batch");
            }
        }
    }

    private Map<String, AttributeValue> item(BucketKey key, Map<String, MeasureValue> values) {
        Map<String, AttributeValue> item = new LinkedHashMap<>();
        item.put(TableSchema.PK, AttributeValue.fromS(key.series().partitionKey()));
        item.put(TableSchema.SK, AttributeValue.fromS(key.sortKey()));
        if (dataset.isIndexed(key.granularity())) {
            String indexSortKey = key.indexSortKey();
            int shard = dataset.scatter().shardOf(firstEvents.get(key), indexSortKey, random);
            item.put(TableSchema.INDEX_PK, AttributeValue.fromS(key.indexPartitionKey(shard)));
            item.put(TableSchema.INDEX_SK, AttributeValue.fromS(indexSortKey));
        }
        for (Rank rank : dataset.ranks()) {
            if (rank.granularities().contains(key.granularity())) {
                item.put(TableSchema.rankAttribute(rank.by()),
                        AttributeValue.fromS(RankKey.of(key, rank.within().size(), rank.width())));
            }
        }
        values.forEach((measure, value) -> {
            item.put(MeasurePart.VALUE.attribute(measure), number(value.value()));
            if (value.time() != null) {
                item.put(MeasurePart.TIME.attribute(measure), number(seconds(value.time())));
            }
        });
        return item;
    }

    private static AttributeValue number(BigDecimal number) {
        return AttributeValue.fromN(number.toPlainString());
    }

    private static BigDecimal seconds(Instant time) {
        return BigDecimal.valueOf(time.getEpochSecond()).add(BigDecimal.valueOf(time.getNano(), 9));
    }
}
