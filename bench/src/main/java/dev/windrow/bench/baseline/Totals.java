package dev.windrow.bench.baseline;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;

import software.amazon.awssdk.services.dynamodb.DynamoDbAsyncClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.UpdateItemRequest;

/** What events add to their buckets, in the table's own form: one UpdateItem for each bucket. Not thread-safe. */
final class Totals {

    private static final ObjectMapper JSON = new ObjectMapper();
    private static final String UPDATE = "ADD m_events :events, m_bytes :bytes SET ipk = :ipk, isk = :isk";
    private static final Map<String, Duration> GRANULARITIES = Map.of("minute", Duration.ofMinutes(1), "hour",
            Duration.ofHours(1), "day", Duration.ofDays(1));
    private static final int SHARDS = 10;

    private final List<String> granularities;
    private final Map<Bucket, long[]> sums = new HashMap<>();

    private record Bucket(String granularity, long start, String label) {
    }

    Totals(List<String> granularities) {
        this.granularities = granularities;
    }

    /** Adds the events of a message, each an object; several are an array. */
    Totals add(String body) {
        events(body).forEach(this::add);
        return this;
    }

    static Iterable<JsonNode> events(String body) {
        try {
            JsonNode parsed = JSON.readTree(body);
            return parsed.isArray() ? parsed : List.of(parsed);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    Totals add(JsonNode event) {
        JsonNode attributes = event.path("attributes");
        long time = Instant.parse(event.path("time").asText()).toEpochMilli();
        for (String granularity : granularities) {
            long millis = Objects.requireNonNull(GRANULARITIES.get(granularity)).toMillis();
            long[] sum = sums.computeIfAbsent(new Bucket(granularity, time - time % millis,
                    attributes.path("referrer").asText()), bucket -> new long[2]);
            sum[0]++;
            sum[1] += attributes.path("bytes").asLong();
        }
        return this;
    }

    CompletableFuture<?> write(DynamoDbAsyncClient dynamoDb) {
        return CompletableFuture.allOf(sums.entrySet().stream().map(sum -> dynamoDb.updateItem(request(sum.getKey(),
                sum.getValue()))).toArray(CompletableFuture[]::new));
    }

    private UpdateItemRequest request(Bucket bucket, long[] sum) {
        Instant start = Instant.ofEpochMilli(bucket.start());
        String indexSort = start + "#" + bucket.label() + "#0";
        int shard = Math.floorMod(indexSort.hashCode(), SHARDS);
        return UpdateItemRequest.builder().tableName("windrow")
                .key(Map.of("pk", AttributeValue.fromS("default#clicks#" + bucket.label() + "#0"), "sk",
                        AttributeValue.fromS(bucket.granularity() + "#" + start)))
                .updateExpression(UPDATE)
                .expressionAttributeValues(Map.of(":events", AttributeValue.fromN(Long.toString(sum[0])), ":bytes",
                        AttributeValue.fromN(Long.toString(sum[1])), ":ipk",
                        AttributeValue.fromS("default#clicks#" + bucket.granularity() + "#" + shard), ":isk",
                        AttributeValue.fromS(indexSort)))
                .build();
    }
}
