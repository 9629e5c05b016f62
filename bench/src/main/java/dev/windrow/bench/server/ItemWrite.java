package dev.windrow.bench.server;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import org.jspecify.annotations.Nullable;

import com.fasterxml.jackson.databind.JsonNode;

import dev.windrow.table.TableSchema;

/**
 * What one request writes to one item, as far as its cost goes. Expressions are not evaluated: the attributes are those that
 * an update names next to a value ({@code ADD m :v}, {@code SET m = :v}, {@code SET m = if_not_exists(m, :v)}), and values
 * that only a condition uses cost nothing.
 *
 * @param partitionKey of the table
 * @param sortKey of the table
 * @param indexPartitionKey of the index, or null if the request does not name one
 * @param attributes written, the keys of the table among them
 */
record ItemWrite(String partitionKey, String sortKey, @Nullable String indexPartitionKey, List<Attribute> attributes) {

    private static final Pattern ASSIGNMENT = Pattern.compile("([#\\w]+)[\\s=,(]+(:\\w+)");
    private static final int MAX_FORMS = 1_000;
    private static final Map<String, List<Assignment>> FORMS = new ConcurrentHashMap<>();

    /**
     * An attribute.
     *
     * @param name its name
     * @param bytes of name and value by the service's rules
     * @param members bytes that are members of a set, which join those that the item has
     */
    record Attribute(String name, int bytes, int members) {
    }

    private record Assignment(String name, String value) {
    }

    /** @param request UpdateItem, or an Update of a transaction */
    static ItemWrite update(JsonNode request) {
        Map<String, JsonNode> written = fields(request.path("Key"));
        JsonNode names = request.path("ExpressionAttributeNames");
        JsonNode values = request.path("ExpressionAttributeValues");
        for (Assignment assignment : assignments(request.path("UpdateExpression").asText())) {
            written.put(names.path(assignment.name()).asText(assignment.name()), values.path(assignment.value()));
        }
        return of(written);
    }

    /** @param request PutItem, or a Put of a transaction */
    static ItemWrite put(JsonNode request) {
        return of(fields(request.path("Item")));
    }

    private static ItemWrite of(Map<String, JsonNode> written) {
        List<Attribute> attributes = new ArrayList<>(written.size());
        written.forEach((name, value) -> {
            int bytes = bytes(value);
            boolean set = value.has("BS") || value.has("SS") || value.has("NS");
            attributes.add(new Attribute(name, utf8(name) + (set ? 0 : bytes), set ? bytes : 0));
        });
        JsonNode index = written.get(TableSchema.INDEX_PK);
        return new ItemWrite(text(written, TableSchema.PK), text(written, TableSchema.SK),
                index == null ? null : index.path("S").asText(), attributes);
    }

    private static String text(Map<String, JsonNode> written, String key) {
        JsonNode value = written.get(key);
        if (value == null || !value.has("S")) {
            throw new IllegalArgumentException(key + ": expected a string, as the key schema has it");
        }
        return value.get("S").asText();
    }

    private static Map<String, JsonNode> fields(JsonNode object) {
        Map<String, JsonNode> fields = new HashMap<>();
        object.properties().forEach(field -> fields.put(field.getKey(), field.getValue()));
        return fields;
    }

    /** Callers send few forms of expressions many times. */
    private static List<Assignment> assignments(String expression) {
        if (FORMS.size() > MAX_FORMS) {
            FORMS.clear();
        }
        return FORMS.computeIfAbsent(expression, form -> {
            List<Assignment> found = new ArrayList<>();
            for (Matcher matcher = ASSIGNMENT.matcher(form); matcher.find();) {
                found.add(new Assignment(matcher.group(1), matcher.group(2)));
            }
            return List.copyOf(found);
        });
    }

    /**
     * The size of a value by the service's rules: text in UTF-8, a byte for two digits of a number, and 3 bytes for a list or
     * a map with 1 byte for each element.
     *
     * @param value with its type, such as {@code {"N":"5"}}
     */
    private static int bytes(JsonNode value) {
        Map.Entry<String, JsonNode> typed = value.properties().iterator().next();
        String type = typed.getKey();
        JsonNode content = typed.getValue();
        int bytes = content.isContainerNode() && type.length() == 1 ? 3 : 0;
        for (JsonNode element : content) {
            bytes += type.length() == 2 ? scalar(type.substring(0, 1), element) : 1 + bytes(element);
        }
        for (Map.Entry<String, JsonNode> field : content.properties()) {
            bytes += utf8(field.getKey());
        }
        return content.isContainerNode() ? bytes : scalar(type, content);
    }

    private static int scalar(String type, JsonNode content) {
        String text = content.asText();
        return switch (type) {
            case "N" -> (text.length() + 1) / 2 + 1;
            case "B" -> text.length() / 4 * 3 - (text.endsWith("==") ? 2 : text.endsWith("=") ? 1 : 0);
            case "BOOL", "NULL" -> 1;
            default -> utf8(text);
        };
    }

    private static int utf8(String text) {
        return text.getBytes(UTF_8).length;
    }
}
