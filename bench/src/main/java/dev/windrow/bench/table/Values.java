package dev.windrow.bench.table;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.math.BigDecimal;
import java.math.MathContext;
import java.util.Base64;
import java.util.Iterator;
import java.util.Map;
import java.util.TreeSet;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;

import dev.windrow.key.Utf8Order;

/** Attribute values in the form the protocol has them, such as {@code {"N":"5"}}. */
final class Values {

    private static final MathContext PRECISION = new MathContext(38);
    private static final JsonNodeFactory JSON = JsonNodeFactory.instance;

    private Values() {
    }

    static String type(JsonNode value) {
        Iterator<String> names = value.fieldNames();
        if (!names.hasNext()) {
            throw Refusal.invalid("expected an attribute value with one type, found " + value);
        }
        return names.next();
    }

    static JsonNode content(JsonNode value) {
        return value.elements().next();
    }

    static JsonNode number(BigDecimal number) {
        BigDecimal plain = number.stripTrailingZeros();
        return JSON.objectNode().set("N",
                TextNode.valueOf(plain.scale() < 0 ? plain.setScale(0).toString() : plain.toPlainString()));
    }

    static BigDecimal number(JsonNode value) {
        if (!type(value).equals("N")) {
            throw Refusal.invalid("expected a number, found " + value);
        }
        return new BigDecimal(content(value).textValue());
    }

    static JsonNode sum(JsonNode left, JsonNode right) {
        return number(number(left).add(number(right), PRECISION));
    }

    static JsonNode difference(JsonNode left, JsonNode right) {
        return number(number(left).subtract(number(right), PRECISION));
    }

    /** The union of two sets of one type, in a canonical order. */
    static JsonNode union(JsonNode left, JsonNode right) {
        String type = type(right);
        if (!type(left).equals(type) || !type.endsWith("S") || type.length() != 2) {
            throw Refusal.invalid("ADD: expected two numbers or two sets of one type, found " + left + " and " + right);
        }
        TreeSet<String> members = new TreeSet<>();
        content(left).forEach(member -> members.add(member.textValue()));
        content(right).forEach(member -> members.add(member.textValue()));
        ArrayNode array = JSON.arrayNode();
        members.forEach(array::add);
        ObjectNode union = JSON.objectNode();
        union.set(type, array);
        return union;
    }

    /** Whether a set holds a member, or a string a part. */
    static boolean contains(JsonNode whole, JsonNode part) {
        String type = type(whole);
        if (type.equals("S")) {
            return type(part).equals("S") && content(whole).textValue().contains(content(part).textValue());
        }
        if (type.length() != 2 || !type.startsWith(type(part))) {
            return false;
        }
        for (JsonNode member : content(whole)) {
            if (type.equals("NS") ? number(wrapped(member)).compareTo(number(part)) == 0 : member.equals(content(part))) {
                return true;
            }
        }
        return false;
    }

    private static JsonNode wrapped(JsonNode number) {
        return JSON.objectNode().set("N", number);
    }

    /** Whether two values can be ordered against each other. */
    static boolean comparable(JsonNode left, JsonNode right) {
        return type(left).equals(type(right)) && (type(left).equals("N") || type(left).equals("S"));
    }

    static int compare(JsonNode left, JsonNode right) {
        return type(left).equals("N") ? number(left).compareTo(number(right))
                : Utf8Order.ASCENDING.compare(content(left).textValue(), content(right).textValue());
    }

    static boolean equal(JsonNode left, JsonNode right) {
        return comparable(left, right) ? compare(left, right) == 0 : left.equals(right);
    }

    /** The size of an attribute by the service's rules: name and value, numbers two digits a byte. */
    static int bytes(String name, JsonNode value) {
        return utf8(name) + bytes(value);
    }

    private static int bytes(JsonNode value) {
        JsonNode content = content(value);
        return switch (type(value)) {
            case "S" -> utf8(content.textValue());
            case "N" -> numberBytes(content.textValue());
            case "B" -> binaryBytes(content);
            case "BOOL", "NULL" -> 1;
            case "SS" -> sum(content, "S");
            case "NS" -> sum(content, "N");
            case "BS" -> sum(content, "B");
            case "L" -> 3 + listBytes(content);
            case "M" -> 3 + mapBytes(content);
            default -> throw Refusal.invalid("unknown type of value " + value);
        };
    }

    private static int sum(JsonNode members, String type) {
        int bytes = 0;
        for (JsonNode member : members) {
            bytes += switch (type) {
                case "S" -> utf8(member.textValue());
                case "N" -> numberBytes(member.textValue());
                default -> binaryBytes(member);
            };
        }
        return bytes;
    }

    private static int listBytes(JsonNode list) {
        int bytes = 0;
        for (JsonNode element : list) {
            bytes += 1 + bytes(element);
        }
        return bytes;
    }

    private static int mapBytes(JsonNode map) {
        int bytes = 0;
        for (Map.Entry<String, JsonNode> field : map.properties()) {
            bytes += 1 + bytes(field.getKey(), field.getValue());
        }
        return bytes;
    }

    private static int binaryBytes(JsonNode base64) {
        return Base64.getDecoder().decode(base64.textValue()).length;
    }

    private static int numberBytes(String number) {
        BigDecimal value = new BigDecimal(number).stripTrailingZeros();
        return (value.precision() + 1) / 2 + 1 + (value.signum() < 0 ? 1 : 0);
    }

    private static int utf8(String text) {
        for (int i = 0; i < text.length(); i++) {
            if (text.charAt(i) >= 0x80) {
                return text.getBytes(UTF_8).length;
            }
        }
        return text.length();
    }
}
