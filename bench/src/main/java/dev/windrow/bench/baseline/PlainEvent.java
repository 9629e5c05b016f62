package dev.windrow.bench.baseline;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;

import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.UpdateItemRequest;

/**
 * What a plain program does with an event: one UpdateItem that adds to the minute's bucket, in the table's own form.
 *
 * @param label the event's referrer
 * @param minute the bucket's start
 * @param bytes added to the sum
 */
record PlainEvent(String label, Instant minute, String bytes) {

    private static final ObjectMapper JSON = new ObjectMapper();
    private static final String UPDATE = "ADD m_events :one, m_bytes :bytes SET ipk = :ipk, isk = :isk";

    static List<PlainEvent> read(String body) {
        try {
            JsonNode parsed = JSON.readTree(body);
            List<PlainEvent> events = new ArrayList<>();
            if (parsed.isArray()) {
                parsed.forEach(event -> events.add(of(event)));
            } else {
                events.add(of(parsed));
            }
            return events;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static PlainEvent of(JsonNode event) {
        JsonNode attributes = event.path("attributes");
        return new PlainEvent(attributes.path("referrer").asText(),
                Instant.parse(event.path("time").asText()).truncatedTo(ChronoUnit.MINUTES), attributes.path("bytes").asText());
    }

    /** @param scattered whether the index key has one of ten shards, else it is the event time alone */
    UpdateItemRequest request(boolean scattered) {
        String indexSort = minute + "#" + label + "#0";
        int shard = scattered ? Math.floorMod(indexSort.hashCode(), 10) : 0;
        return UpdateItemRequest.builder().tableName("windrow")
                .key(Map.of("pk", AttributeValue.fromS("default#clicks#" + label + "#0"), "sk",
                        AttributeValue.fromS("minute#" + minute)))
                .updateExpression(UPDATE)
                .expressionAttributeValues(Map.of(":one", AttributeValue.fromN("1"), ":bytes", AttributeValue.fromN(bytes),
                        ":ipk", AttributeValue.fromS("default#clicks#minute#" + shard), ":isk",
                        AttributeValue.fromS(indexSort)))
                .build();
    }
}
