package dev.windrow.gather.read;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

import dev.windrow.aws.AwsJsonClient;
import dev.windrow.aws.AwsResponse;
import dev.windrow.base.Joined;
import dev.windrow.base.Reason;
import dev.windrow.table.TableSchema;
import io.smallrye.mutiny.Uni;

/**
 * Reads items with BatchGetItem, a hundred per request, and retries transient failures and unprocessed keys.
 *
 * @param timeout how long a response may take
 */
public record DynamoItemReader(AwsJsonClient client, String table, Duration timeout) implements ItemReader {

    private static final String TARGET = "DynamoDB_20120810.BatchGetItem";
    private static final ObjectMapper JSON = new ObjectMapper();
    /** Maximum number of items of a request (DynamoDB API reference, BatchGetItem). */
    private static final int BATCH = 100;
    private static final int CONCURRENT_BATCHES = 4;
    private static final Set<Reason> PASSING = EnumSet.of(Reason.THROTTLED, Reason.UNAVAILABLE, Reason.TIMED_OUT);
    private static final int MAX_TRIES = 5;
    private static final Duration PAUSE = Duration.ofMillis(25);
    private static final Duration MAX_PAUSE = Duration.ofMillis(500);

    @Override
    public Uni<Items> read(List<ItemKey> keys, List<String> attributes, boolean consistent) {
        List<Uni<Batch>> batches = new ArrayList<>();
        for (int from = 0; from < keys.size(); from += BATCH) {
            batches.add(new Batch(keys.subList(from, Math.min(keys.size(), from + BATCH)), attributes, consistent).read());
        }
        return batches.isEmpty() ? Uni.createFrom().item(new Items(List.of(), 0))
                : Joined.all(batches, CONCURRENT_BATCHES).map(DynamoItemReader::together);
    }

    private static Items together(List<Batch> batches) {
        return new Items(batches.stream().flatMap(batch -> batch.found.stream()).toList(),
                batches.stream().mapToDouble(batch -> batch.readUnits).sum());
    }

    /** The rest of a batch, and the items found so far. One request is in flight at a time. */
    private final class Batch {

        private final List<String> attributes;
        private final boolean consistent;
        private final List<Map<String, String>> found = new ArrayList<>();
        private List<ItemKey> left;
        private double readUnits;

        Batch(List<ItemKey> keys, List<String> attributes, boolean consistent) {
            this.left = List.copyOf(keys);
            this.attributes = attributes;
            this.consistent = consistent;
        }

        Uni<Batch> read() {
            return Uni.createFrom().deferred(() -> client.post(TARGET, request(), timeout, Batch::tree)).map(this::take)
                    .onFailure().transform(DynamoShards::withReason)
                    .onFailure(failure -> PASSING.contains(GatherException.reasonOf(failure)))
                    .retry().withBackOff(PAUSE, MAX_PAUSE).atMost(MAX_TRIES);
        }

        private byte[] request() {
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
            for (ItemKey key : left) {
                ObjectNode item = wanted.addObject();
                item.putObject(TableSchema.PK).put("S", key.partitionKey());
                item.putObject(TableSchema.SK).put("S", key.sortKey());
            }
            return request.toString().getBytes(StandardCharsets.UTF_8);
        }

        private static JsonNode tree(AwsResponse answer) throws IOException {
            answer.requireOk();
            JsonNode tree = JSON.readTree(answer.body());
            if (!tree.path("Responses").isObject()) {
                throw new IOException("expected an object Responses, found " + tree.path("Responses").getNodeType());
            }
            return tree;
        }

        /** Not called for a response that arrives after its timeout, as its keys have been requested again. */
        private Batch take(JsonNode tree) {
            tree.path("Responses").forEach(of -> of.forEach(item -> found.add(texts(item))));
            for (JsonNode consumed : tree.path("ConsumedCapacity")) {
                readUnits += consumed.path("CapacityUnits").asDouble();
            }
            left = new ArrayList<>();
            tree.path("UnprocessedKeys").forEach(of -> of.path("Keys").forEach(key -> {
                Map<String, String> texts = texts(key);
                left.add(new ItemKey(texts.getOrDefault(TableSchema.PK, ""), texts.getOrDefault(TableSchema.SK, "")));
            }));
            if (!left.isEmpty()) {
                throw new GatherException(Reason.THROTTLED, "DynamoDB left out " + left.size() + " items");
            }
            return this;
        }
    }

    /** The text of values such as {@code {"N":"3"}}. */
    static Map<String, String> texts(JsonNode item) {
        Map<String, String> texts = new HashMap<>();
        // A list or map must not pass for an empty text.
        item.properties().forEach(attribute -> attribute.getValue().forEach(value -> texts.put(attribute.getKey(),
                value.isContainerNode() ? value.toString() : value.asText())));
        return texts;
    }
}
