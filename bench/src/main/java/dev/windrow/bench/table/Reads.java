package dev.windrow.bench.table;

import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.NavigableMap;
import java.util.function.LongSupplier;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;

import dev.windrow.bench.partition.Admission.Throttled;
import dev.windrow.bench.partition.Demand;
import dev.windrow.bench.partition.PartitionModel;
import dev.windrow.bench.partition.Resource;
import dev.windrow.bench.partition.Units;

/** GetItem and Query, with the service's pages of at most 1 MB. */
final class Reads {

    private static final int PAGE_BYTES = 1 << 20;

    private final MemoryTable table;
    private final Expressions expressions;
    private final PartitionModel model;
    private final LongSupplier time;
    private final Meter meter;

    Reads(MemoryTable table, Expressions expressions, PartitionModel model, LongSupplier time, Meter meter) {
        this.table = table;
        this.expressions = expressions;
        this.model = model;
        this.time = time;
        this.meter = meter;
    }

    ObjectNode getItem(JsonNode request) {
        Item key = Item.of(request.path("Key"));
        String partition = MemoryTable.requiredKey(key, table.keys().partition());
        Resource resource = new Resource(table.keys().table(), null, partition);
        begin(resource);
        Item item = table.get(partition, MemoryTable.requiredKey(key, table.keys().sort()));
        ObjectNode answer = JsonNodeFactory.instance.objectNode();
        if (item.exists()) {
            answer.set("Item", item.json(projection(request, item)));
        }
        end(request, resource, Units.read(item.bytes(), request.path("ConsistentRead").asBoolean()), answer);
        return answer;
    }

    ObjectNode query(JsonNode request) {
        TableKeys keys = table.keys();
        boolean index = request.hasNonNull("IndexName");
        if (index && !request.get("IndexName").asText().equals(keys.index())) {
            throw Refusal.invalid("The table does not have the specified index: " + request.get("IndexName").asText());
        }
        if (index && request.path("ConsistentRead").asBoolean()) {
            throw Refusal.invalid("Consistent reads are not supported on global secondary indexes");
        }
        Scope scope = new Scope(Item.NONE, request.path("ExpressionAttributeNames"), request.path("ExpressionAttributeValues"));
        KeyRange range = KeyRange.of(expressions.condition(request.path("KeyConditionExpression").asText("")),
                index ? keys.indexPartition() : keys.partition(), scope);
        Resource resource = new Resource(keys.table(), index ? keys.index() : null, range.partition());
        begin(resource);
        NavigableMap<Position, Item> found = after(request, index, range.of(index
                ? table.indexPartition(range.partition(), time.getAsLong())
                : table.partition(range.partition())));
        return page(request, scope, range, found, resource);
    }

    private NavigableMap<Position, Item> after(JsonNode request, boolean index, NavigableMap<Position, Item> items) {
        boolean forward = request.path("ScanIndexForward").asBoolean(true);
        NavigableMap<Position, Item> ordered = forward ? items : items.descendingMap();
        if (!request.hasNonNull("ExclusiveStartKey")) {
            return ordered;
        }
        Item key = Item.of(request.get("ExclusiveStartKey"));
        TableKeys keys = table.keys();
        String partition = MemoryTable.requiredKey(key, keys.partition());
        String sort = MemoryTable.requiredKey(key, keys.sort());
        Position start = index ? new Position(MemoryTable.requiredKey(key, keys.indexSort()), partition, sort)
                : Position.before(sort);
        // A sub-map refuses keys beyond its bounds, which a start key may be.
        if (items.isEmpty() || start.compareTo(forward ? items.firstKey() : items.lastKey()) * (forward ? 1 : -1) < 0) {
            return ordered;
        }
        if (start.compareTo(forward ? items.lastKey() : items.firstKey()) * (forward ? 1 : -1) >= 0) {
            return Collections.emptyNavigableMap();
        }
        return ordered.tailMap(start, false);
    }

    private ObjectNode page(JsonNode request, Scope scope, KeyRange range, NavigableMap<Position, Item> found,
            Resource resource) {
        int limit = request.path("Limit").asInt(Integer.MAX_VALUE);
        Condition filter = expressions.condition(request.path("FilterExpression").asText(""));
        ObjectNode answer = JsonNodeFactory.instance.objectNode();
        ArrayNode items = JsonNodeFactory.instance.arrayNode();
        long bytes = 0;
        int scanned = 0;
        for (Item item : found.values()) {
            Scope of = scope.of(item);
            if (!range.sort().holds(of)) {
                continue;
            }
            scanned++;
            bytes += item.bytes();
            if (filter.holds(of)) {
                items.add(item.json(projection(request, item)));
            }
            if (scanned == limit || bytes >= PAGE_BYTES) {
                answer.set("LastEvaluatedKey", item.json(keyNames(resource.isIndex())));
                break;
            }
        }
        answer.put("Count", items.size()).put("ScannedCount", scanned);
        if (!request.path("Select").asText().equals("COUNT")) {
            answer.set("Items", items);
        }
        end(request, resource, Units.read(bytes, request.path("ConsistentRead").asBoolean()), answer);
        return answer;
    }

    private List<String> keyNames(boolean index) {
        TableKeys keys = table.keys();
        return index ? List.of(keys.partition(), keys.sort(), keys.indexPartition(), keys.indexSort())
                : List.of(keys.partition(), keys.sort());
    }

    private static List<String> projection(JsonNode request, Item item) {
        String projection = request.path("ProjectionExpression").asText("");
        Scope scope = new Scope(item, request.path("ExpressionAttributeNames"), request.path("ExpressionAttributeValues"));
        return projection.isEmpty() ? List.of()
                : Arrays.stream(projection.split(",", -1)).map(String::strip).map(scope::name).toList();
    }

    private void begin(Resource resource) {
        if (model.beginRead(resource) instanceof Throttled throttled) {
            meter.throttledRequest();
            throw Throttling.refusal(throttled.at(), false);
        }
    }

    private void end(JsonNode request, Resource resource, double units, ObjectNode answer) {
        Demand demand = new Demand(resource, units);
        model.endRead(demand);
        meter.read(units);
        Capacity.consumed(request, table.keys(), List.of(demand))
                .ifPresent(consumed -> answer.set("ConsumedCapacity", consumed));
    }
}
