package dev.windrow.bench.table;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import org.jspecify.annotations.Nullable;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;

import dev.windrow.bench.partition.IndexEntry;

/** An item as it is at one time: never changed, only replaced. */
final class Item {

    static final Item NONE = new Item(Map.of());

    private final Map<String, JsonNode> attributes;
    private final int bytes;

    Item(Map<String, JsonNode> attributes) {
        this.attributes = Collections.unmodifiableMap(new LinkedHashMap<>(attributes));
        int sum = 0;
        for (Map.Entry<String, JsonNode> attribute : attributes.entrySet()) {
            sum += Values.bytes(attribute.getKey(), attribute.getValue());
        }
        this.bytes = sum;
    }

    static Item of(JsonNode object) {
        Map<String, JsonNode> attributes = new LinkedHashMap<>();
        object.properties().forEach(field -> attributes.put(field.getKey(), field.getValue()));
        return new Item(attributes);
    }

    boolean exists() {
        return !attributes.isEmpty();
    }

    Map<String, JsonNode> attributes() {
        return attributes;
    }

    @Nullable
    JsonNode get(String name) {
        return attributes.get(name);
    }

    int bytes() {
        return bytes;
    }

    /** A key attribute's text, or null if the item lacks it. */
    @Nullable
    String key(String name) {
        JsonNode value = attributes.get(name);
        if (value == null) {
            return null;
        }
        if (!value.hasNonNull("S")) {
            throw Refusal.invalid(name + ": expected a string, as the key schema says, found " + value);
        }
        return value.get("S").textValue();
    }

    IndexEntry entry(TableKeys keys) {
        String partition = key(keys.indexPartition());
        String sort = key(keys.indexSort());
        return partition == null || sort == null ? IndexEntry.NONE
                : new IndexEntry(List.of(partition, sort), attributes, bytes);
    }

    /** In the protocol's form; only these attributes unless empty. */
    ObjectNode json(List<String> projection) {
        ObjectNode json = JsonNodeFactory.instance.objectNode();
        if (projection.isEmpty()) {
            json.setAll(attributes);
        } else {
            for (String name : projection) {
                JsonNode value = attributes.get(name);
                if (value != null) {
                    json.set(name, value);
                }
            }
        }
        return json;
    }
}
