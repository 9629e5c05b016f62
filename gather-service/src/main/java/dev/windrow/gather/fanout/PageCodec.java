package dev.windrow.gather.fanout;

import java.io.IOException;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import org.jspecify.annotations.Nullable;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

import dev.windrow.dataset.Measure;
import dev.windrow.dataset.MeasureValue;
import dev.windrow.gather.merge.MeasureValues;
import dev.windrow.gather.merge.ShardItem;

/** Writes pages as JSON for a cache that several gatherers share. Numbers are text, so that they stay exact. */
final class PageCodec {

    private static final ObjectMapper JSON = new ObjectMapper();

    private PageCodec() {
    }

    static String encode(ShardPage page) {
        ObjectNode tree = JSON.createObjectNode().put("scanned", page.scannedItems()).put("units", page.readUnits());
        page.next().ifPresent(next -> {
            ObjectNode position = tree.putObject("next");
            next.key().forEach(position::put);
        });
        ArrayNode items = tree.putArray("items");
        for (ShardItem item : page.items()) {
            ArrayNode values = items.addObject().put("key", item.key()).put("group", item.group()).putArray("values");
            item.values().forEach((measure, value) -> add(values, value));
        }
        return tree.toString();
    }

    private static void add(ArrayNode values, @Nullable MeasureValue value) {
        if (value == null) {
            values.addNull();
            return;
        }
        ArrayNode pair = values.addArray().add(value.value().toString());
        Instant time = value.time();
        if (time != null) {
            pair.add(time.toString());
        }
    }

    static ShardPage decode(List<Measure> measures, String text) throws IOException {
        JsonNode tree = JSON.readTree(text);
        List<ShardItem> items = new ArrayList<>();
        for (JsonNode item : tree.get("items")) {
            List<@Nullable MeasureValue> values = new ArrayList<>();
            item.get("values").forEach(value -> values.add(value(value)));
            items.add(new ShardItem(item.get("key").asText(), item.get("group").asText(), new MeasureValues(measures, values)));
        }
        Optional<ShardPage.Position> next = Optional.ofNullable(tree.get("next")).map(position -> {
            Map<String, String> key = new HashMap<>();
            position.properties().forEach(part -> key.put(part.getKey(), part.getValue().asText()));
            return new ShardPage.Position(key);
        });
        return new ShardPage(items, next, tree.get("scanned").asInt(), tree.get("units").asDouble());
    }

    private static @Nullable MeasureValue value(JsonNode value) {
        if (value.isNull()) {
            return null;
        }
        BigDecimal number = new BigDecimal(value.get(0).asText());
        return value.size() > 1
                ? MeasureValue.at(number, Instant.parse(value.get(1).asText()))
                : MeasureValue.of(number);
    }
}
