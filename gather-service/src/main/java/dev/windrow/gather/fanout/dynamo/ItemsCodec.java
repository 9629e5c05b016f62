package dev.windrow.gather.fanout.dynamo;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

import dev.windrow.gather.fanout.ItemReader.ItemKey;
import dev.windrow.table.TableSchema;

/** BatchGetItem's requests and answers as JSON. */
final class ItemsCodec {

    private static final ObjectMapper JSON = new ObjectMapper();

    /**
     * What an answer holds.
     *
     * @param items the texts of their attributes
     * @param unprocessed what must be read again
     * @param readUnits read units consumed
     */
    record Page(List<Map<String, String>> items, List<ItemKey> unprocessed, double readUnits) {
    }

    private ItemsCodec() {
    }

    static byte[] request(String table, List<ItemKey> keys, List<String> attributes, boolean consistent) {
        ObjectNode request = JSON.createObjectNode().put("ReturnConsumedCapacity", "TOTAL");
        ObjectNode items = request.putObject("RequestItems").putObject(table).put("ConsistentRead", consistent);
        if (!attributes.isEmpty()) {
            items.put("ProjectionExpression",
                    IntStream.range(0, attributes.size()).mapToObj(i -> "#" + i).collect(Collectors.joining(",")));
            ObjectNode names = items.putObject("ExpressionAttributeNames");
            for (int i = 0; i < attributes.size(); i++) {
                names.put("#" + i, attributes.get(i));
            }
        }
        ArrayNode wanted = items.putArray("Keys");
        for (ItemKey key : keys) {
            ObjectNode item = wanted.addObject();
            item.putObject(TableSchema.PK).put("S", key.partitionKey());
            item.putObject(TableSchema.SK).put("S", key.sortKey());
        }
        try {
            return JSON.writeValueAsBytes(request);
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    /** @throws IOException if the body is not an answer of DynamoDB */
    static Page page(byte[] answer) throws IOException {
        JsonNode tree = JSON.readTree(answer);
        if (!tree.path("Responses").isObject()) {
            throw new IOException("expected an object Responses, found " + tree.path("Responses").getNodeType());
        }
        List<Map<String, String>> items = new ArrayList<>();
        tree.path("Responses").forEach(table -> table.forEach(item -> items.add(texts(item))));
        List<ItemKey> unprocessed = new ArrayList<>();
        tree.path("UnprocessedKeys").forEach(table -> table.path("Keys").forEach(key -> {
            Map<String, String> texts = texts(key);
            unprocessed.add(new ItemKey(texts.getOrDefault(TableSchema.PK, ""), texts.getOrDefault(TableSchema.SK, "")));
        }));
        double readUnits = 0;
        for (JsonNode consumed : tree.path("ConsumedCapacity")) {
            readUnits += consumed.path("CapacityUnits").asDouble();
        }
        return new Page(items, unprocessed, readUnits);
    }

    /** The text of values such as {@code {"N":"3"}}. */
    private static Map<String, String> texts(JsonNode item) {
        Map<String, String> texts = new HashMap<>();
        item.properties().forEach(attribute -> attribute.getValue()
                .forEach(value -> texts.put(attribute.getKey(), value.asText())));
        return texts;
    }
}
