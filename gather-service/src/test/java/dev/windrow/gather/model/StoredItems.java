package dev.windrow.gather.model;

import java.math.BigDecimal;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.Predicate;
import java.util.random.RandomGenerator;

import dev.windrow.dataset.Dataset;
import dev.windrow.dataset.MeasurePart;
import dev.windrow.dataset.MeasureValue;
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

/** Aggregates events into items of the storage format, with the writer's code. */
final class StoredItems {

    private static final int BATCH = 25;
    private static final int BATCHES_AT_A_TIME = 4;

    private StoredItems() {
    }

    static List<Map<String, AttributeValue>> of(Dataset dataset, String tenant, List<ModelEvent> events,
            RandomGenerator random) {
        return of(dataset, tenant, events, random, key -> true);
    }

    /** @param ranked selects the buckets that are in their leaderboards */
    static List<Map<String, AttributeValue>> of(Dataset dataset, String tenant, List<ModelEvent> events,
            RandomGenerator random, Predicate<BucketKey> ranked) {
        Map<BucketKey, Map<String, MeasureValue>> buckets = new LinkedHashMap<>();
        Map<BucketKey, Instant> firstEvents = new HashMap<>();
        for (ModelEvent event : events) {
            Event written = event(dataset, tenant, event);
            if (!dataset.includes(written)) {
                continue;
            }
            SeriesKey series = new SeriesKey(tenant, dataset.name(), new Label(event.label()), dataset.partition(),
                    event.keyShard());
            for (Granularity granularity : dataset.granularities()) {
                BucketKey key = new BucketKey(series, granularity, granularity.floor(event.time()));
                Map<String, MeasureValue> values = buckets.computeIfAbsent(key, absent -> new LinkedHashMap<>());
                firstEvents.putIfAbsent(key, event.time());
                dataset.measures().forEach(measure -> {
                    BigDecimal number = measure.broughtBy(written);
                    if (number != null) {
                        values.merge(measure.name(), measure.kind().valueOf(number, event.time()), measure.kind()::combine);
                    }
                });
            }
        }
        List<Map<String, AttributeValue>> items = new ArrayList<>();
        buckets.forEach((key, values) -> {
            Map<String, AttributeValue> item = item(dataset, key, firstEvents.get(key), values, random);
            if (ranked.test(key)) {
                item.putAll(rankAttributes(dataset, key));
            }
            items.add(item);
        });
        return items;
    }

    static Map<String, AttributeValue> rankAttributes(Dataset dataset, BucketKey key) {
        Map<String, AttributeValue> attributes = new LinkedHashMap<>();
        dataset.ranks().stream().filter(rank -> rank.granularities().contains(key.granularity()))
                .forEach(rank -> attributes.put(TableSchema.rankAttribute(rank.by()),
                        AttributeValue.fromS(RankKey.of(key, rank.within().size(), rank.width()))));
        return attributes;
    }

    /** Puts items, some batches at a time. */
    static void put(DynamoDbAsyncClient client, String table, List<Map<String, AttributeValue>> items) {
        List<CompletableFuture<BatchWriteItemResponse>> underWay = new ArrayList<>();
        for (int i = 0; i < items.size(); i += BATCH) {
            List<WriteRequest> batch = items.subList(i, Math.min(items.size(), i + BATCH)).stream()
                    .map(item -> WriteRequest.builder().putRequest(PutRequest.builder().item(item).build()).build()).toList();
            underWay.add(client.batchWriteItem(request -> request.requestItems(Map.of(table, batch))));
            if (underWay.size() == BATCHES_AT_A_TIME) {
                await(underWay);
            }
        }
        await(underWay);
    }

    private static void await(List<CompletableFuture<BatchWriteItemResponse>> underWay) {
        underWay.forEach(batch -> {
            if (!batch.join().unprocessedItems().isEmpty()) {
                throw new IllegalStateException("the embedded table took only part of a batch");
            }
        });
        underWay.clear();
    }

    private static Event event(Dataset dataset, String tenant, ModelEvent event) {
        Map<String, Attribute> attributes = new LinkedHashMap<>();
        event.attributes().forEach((name, number) -> attributes.put(name, new Attribute.Decimal(number)));
        return new Event(dataset.eventType(), event.time(), null, tenant, attributes, event.weight().longValueExact());
    }

    private static Map<String, AttributeValue> item(Dataset dataset, BucketKey key, Instant firstEvent,
            Map<String, MeasureValue> values, RandomGenerator random) {
        Map<String, AttributeValue> item = new LinkedHashMap<>();
        item.put(TableSchema.PK, AttributeValue.fromS(key.series().partitionKey()));
        item.put(TableSchema.SK, AttributeValue.fromS(key.sortKey()));
        if (dataset.isIndexed(key.granularity())) {
            int shard = dataset.scatter().shardOf(firstEvent, key.indexSortKey(), random);
            item.put(TableSchema.INDEX_PK, AttributeValue.fromS(key.indexPartitionKey(shard)));
            item.put(TableSchema.INDEX_SK, AttributeValue.fromS(key.indexSortKey()));
        }
        values.forEach((measure, value) -> {
            item.put(MeasurePart.VALUE.attribute(measure), AttributeValue.fromN(value.value().toPlainString()));
            if (value.time() != null) {
                BigDecimal seconds = BigDecimal.valueOf(value.time().getEpochSecond())
                        .add(BigDecimal.valueOf(value.time().getNano(), 9));
                item.put(MeasurePart.TIME.attribute(measure), AttributeValue.fromN(seconds.toPlainString()));
            }
        });
        return item;
    }
}
