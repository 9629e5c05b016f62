package dev.windrow.bench.server;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.math.BigDecimal;
import java.util.Base64;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;

/** Attribute values in DynamoDB's JSON: {@code {"S":"text"}}, {@code {"N":"12.5"}}, B and BS (a set of B) in base64. */
public final class Values {

    private Values() {
    }

    public static ObjectNode text(String text) {
        return JsonNodeFactory.instance.objectNode().put("S", text);
    }

    public static ObjectNode number(long number) {
        return JsonNodeFactory.instance.objectNode().put("N", Long.toString(number));
    }

    /** Returns the text of a string attribute; empty if there is none. */
    public static String text(JsonNode item, String attribute) {
        return item.path(attribute).path("S").asText();
    }

    /** Returns the size of an item by the service's rules: names, text in UTF-8, a byte per two digits of a number. */
    public static int bytes(JsonNode item) {
        int bytes = 0;
        for (Map.Entry<String, JsonNode> attribute : item.properties()) {
            bytes += attribute.getKey().getBytes(UTF_8).length + size(attribute.getValue(), false);
        }
        return bytes;
    }

    /** Returns the number of members of a set, or the bytes of any other value. */
    static int size(JsonNode value) {
        return size(value, true);
    }

    private static int size(JsonNode value, boolean members) {
        JsonNode content = content(value);
        return switch (type(value)) {
            case "S" -> content.asText().getBytes(UTF_8).length;
            case "N" -> (new BigDecimal(content.asText()).precision() + 1) / 2 + 1;
            case "B" -> Base64.getDecoder().decode(content.asText()).length;
            case "BS" ->
                members ? content.size() : content.size() * Base64.getDecoder().decode(content.path(0).asText()).length;
            default -> throw new IllegalArgumentException("expected a value of type S, N, B or BS, found " + value);
        };
    }

    private static String type(JsonNode value) {
        return value.fieldNames().next();
    }

    private static JsonNode content(JsonNode value) {
        return value.elements().next();
    }

    static boolean contains(JsonNode set, JsonNode member) {
        for (JsonNode each : set.path("BS")) {
            if (each.equals(member.path("B"))) {
                return true;
            }
        }
        return false;
    }

    /** Returns the sum of two numbers, or the union of two sets. */
    static JsonNode plus(JsonNode a, JsonNode b) {
        if (a.has("N") && b.has("N")) {
            return JsonNodeFactory.instance.objectNode().put("N",
                    new BigDecimal(a.get("N").asText()).add(new BigDecimal(b.get("N").asText())).toPlainString());
        }
        if (!a.has("BS") || !b.has("BS")) {
            throw new IllegalArgumentException("ADD: expected two numbers or two sets, found " + a + " and " + b);
        }
        Set<JsonNode> all = new LinkedHashSet<>();
        a.get("BS").forEach(all::add);
        b.get("BS").forEach(all::add);
        ObjectNode sum = JsonNodeFactory.instance.objectNode();
        sum.putArray("BS").addAll(all);
        return sum;
    }

    /** Compares two numbers or two texts. */
    static int compare(JsonNode a, JsonNode b) {
        if (a.has("N") && b.has("N")) {
            return new BigDecimal(a.get("N").asText()).compareTo(new BigDecimal(b.get("N").asText()));
        }
        if (!a.has("S") || !b.has("S")) {
            throw new IllegalArgumentException("expected two numbers or two texts, found " + a + " and " + b);
        }
        return a.get("S").asText().compareTo(b.get("S").asText());
    }
}
