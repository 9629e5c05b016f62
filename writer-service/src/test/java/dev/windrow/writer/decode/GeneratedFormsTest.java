package dev.windrow.writer.decode;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigDecimal;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.random.RandomGenerator;

import org.junit.jupiter.api.Test;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.cfg.JsonNodeFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.DecimalNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

import dev.windrow.base.Reason;
import dev.windrow.dataset.DatasetsYaml;
import dev.windrow.event.Attribute;
import dev.windrow.event.Event;
import dev.windrow.testing.GeneratedCases;
import dev.windrow.testing.Seeds;
import dev.windrow.writer.testing.ReadMessage;
import dev.windrow.writer.testing.TestMessages;

/** Random forms read random objects as a model of some lines does. */
class GeneratedFormsTest {

    private static final int FORMS = GeneratedCases.count("windrow.forms", 150, 3_000);
    private static final int OBJECTS = 40;
    private static final Instant SENT = Instant.parse("2026-11-24T10:31:32.123Z");
    private static final ObjectMapper JSON = JsonMapper.builder().enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
            .disable(JsonNodeFeature.STRIP_TRAILING_BIGDECIMAL_ZEROES).build();

    private static final List<String> NAMES = List.of("a", "b", "c", "a.b", "b.c", "a.b.c", "time", "type");
    private static final List<String> PATHS = List.of("a", "b", "c", "a.b", "b.c", "a.b.c", "c.a", "a.a", "b.a.c", "time");
    private static final List<String> VALUES = List.of("null", "1", "1.0", "\"1\"", "true", "\"true\"", "false", "\"\"", "[]",
            "[1]", "\"x\"", "12.50", "-0.0", "1e3");
    private static final List<String> TIMES = List.of("\"2026-11-20T10:00:00Z\"", "\"2026-11-20 10:00:00.5+0100\"",
            "1795170692", "1795170692123", "\"1795170692.5\"", "null", "\"soon\"", "true", "{}", "20261120");

    private final Map<String, Source> attributes = new TreeMap<>();
    private final List<Form> forms = new ArrayList<>();

    /** A form, as declared in YAML. */
    private record Form(Map<String, List<String>> when, String time, List<String> id, Map<String, Source> attributes) {

        String yaml() {
            List<String> conditions = new ArrayList<>();
            when.forEach((path, values) -> conditions
                    .add(path + ": " + (values.isEmpty() ? "{exists: true}" : "[" + String.join(", ", values) + "]")));
            List<String> sources = new ArrayList<>();
            attributes.forEach((name, source) -> sources.add(name + ": {path: " + source.path
                    + (source.absent == null ? "" : ", default: " + source.absent) + "}"));
            return "    - {type: thing, when: {" + String.join(", ", conditions) + "}, time: " + time
                    + (id.isEmpty() ? "" : ", id: [" + String.join(", ", id) + "]") + ", attributes: {"
                    + String.join(", ", sources) + "}}\n";
        }
    }

    private record Source(String path, String absent) {
    }

    /** What is expected of an object: an event, or the reason why it is none. */
    private record Expected(Event event, Reason reason) {
    }

    @Test
    void formsReadObjectsAsTheModelDoes() throws JsonProcessingException {
        RandomGenerator random = Seeds.random("forms");
        int read = 0;
        for (int i = 0; i < FORMS; i++) {
            generate(random);
            StringBuilder yaml = new StringBuilder("""
                    windrow:
                      datasets:
                        things: {event-type: thing, label: [x, w, z], granularities: [hour], measures: {events: {type: count}}}
                      events:
                    """);
            forms.forEach(form -> yaml.append(form.yaml()));
            EventDecoder decoder = ReadMessage.decoder(DatasetsYaml.parse("generated", yaml.toString()));
            for (int j = 0; j < OBJECTS; j++) {
                String body = object(random, 0);
                Expected expected = expected((ObjectNode) JSON.readTree(body));
                ReadMessage found = ReadMessage.of(decoder, TestMessages.message(body, Map.of(), SENT));
                if (expected != null) {
                    read++;
                    assertThat(found.events()).as("%s\n%s\n%s", yaml, body, found.rejections())
                            .isEqualTo(expected.event == null ? List.of() : List.of(expected.event));
                    assertThat(found.reasons()).as("%s\n%s", yaml, body)
                            .isEqualTo(expected.reason == null ? List.of() : List.of(expected.reason));
                } else {
                    assertThat(found.events()).as("%s\n%s", yaml, body).noneMatch(event -> event.type().equals("thing"));
                }
            }
        }
        assertThat(read).as("objects that some form reads").isGreaterThan(FORMS * OBJECTS / 10);
    }

    private void generate(RandomGenerator random) {
        forms.clear();
        Map<String, Form> distinct = new HashMap<>();
        for (int i = 0; i < 3; i++) {
            Map<String, List<String>> when = new TreeMap<>();
            for (int j = 0; j <= random.nextInt(2); j++) {
                when.put(any(PATHS, random), random.nextBoolean() ? List.of() : List.of("1", "\"true\"", "\"x\"", "\"\""));
            }
            attributes.clear();
            for (String name : List.of("x", "w", "z")) {
                attributes.put(name,
                        new Source(any(PATHS, random), random.nextBoolean() ? null : any(List.of("7", "none"), random)));
            }
            Form form = new Form(when, random.nextInt(3) == 0 ? "sent" : any(PATHS, random),
                    random.nextBoolean() ? List.of() : List.of(any(PATHS, random), any(PATHS, random)),
                    new TreeMap<>(attributes));
            if (distinct.putIfAbsent(when.toString(), form) == null) {
                forms.add(form);
            }
        }
    }

    private static String object(RandomGenerator random, int depth) {
        Map<String, String> fields = new TreeMap<>();
        for (int i = random.nextInt(1, 6); i > 0; i--) {
            String value = depth < 3 && random.nextInt(3) == 0 ? object(random, depth + 1)
                    : any(random.nextInt(3) == 0 ? TIMES : VALUES, random);
            fields.put(any(NAMES, random), value);
        }
        List<String> texts = new ArrayList<>();
        fields.forEach((name, value) -> texts.add("\"" + name + "\":" + value));
        return "{" + String.join(",", texts) + "}";
    }

    private static <T> T any(List<T> all, RandomGenerator random) {
        return all.get(random.nextInt(all.size()));
    }

    // The model.

    private Expected expected(ObjectNode root) {
        for (Form form : forms) {
            if (form.when.entrySet().stream()
                    .allMatch(condition -> holds(at(root, condition.getKey()), condition.getValue()))) {
                return expected(form, root);
            }
        }
        return null;
    }

    private static Expected expected(Form form, ObjectNode root) {
        Reason reason = null;
        Instant time = SENT;
        if (!form.time.equals("sent")) {
            JsonNode node = at(root, form.time);
            time = node == null ? null
                    : time(node.isTextual() && node.asText().matches("-?[0-9.]+(e3)?") ? number(node.asText()) : node);
            reason = node == null ? Reason.MISSING_FIELD
                    : node.isTextual() || node.isNumber()
                            ? time == null ? Reason.INVALID_TIME : null
                            : Reason.WRONG_FIELD_TYPE;
        }
        List<String> id = new ArrayList<>();
        for (String path : form.id) {
            JsonNode node = at(root, path);
            if (node == null) {
                id.clear();
                break;
            }
            if (node.isContainerNode()) {
                reason = reason == null ? Reason.WRONG_FIELD_TYPE : reason;
                break;
            }
            id.add(label(node));
        }
        Map<String, Attribute> attributes = new HashMap<>();
        if (form.attributes.values().stream().anyMatch(source -> BEYOND_ARRAY.equals(at(root, source.path)))) {
            reason = reason == null ? Reason.WRONG_FIELD_TYPE : reason;
        }
        form.attributes.forEach((name, source) -> {
            JsonNode node = at(root, source.path);
            Attribute absent = source.absent == null ? null
                    : source.absent.equals("7") ? new Attribute.Decimal(BigDecimal.valueOf(7))
                            : new Attribute.Text(source.absent);
            Attribute value = node == null ? absent : attribute(node);
            if (value != null) {
                attributes.put(name, value);
            }
        });
        return reason != null ? new Expected(null, reason)
                : new Expected(new Event("thing", time, id.isEmpty() ? null : String.join(" ", id), "default", attributes),
                        null);
    }

    private static JsonNode number(String text) {
        return DecimalNode.valueOf(new BigDecimal(text));
    }

    private static Instant time(JsonNode node) {
        return switch (node.asText()) {
            case "2026-11-20T10:00:00Z" -> Instant.parse("2026-11-20T10:00:00Z");
            case "2026-11-20 10:00:00.5+0100" -> Instant.parse("2026-11-20T09:00:00.5Z");
            case "soon", "", "x", "true", "20261120" -> null;
            case "1795170692123" -> Instant.ofEpochMilli(1_795_170_692_123L);
            default -> node.decimalValue().signum() < 0 ? null
                    : Instant.ofEpochSecond(0).plusMillis(node.decimalValue().movePointRight(3).longValue());
        };
    }

    private static boolean holds(JsonNode node, List<String> values) {
        if (values.isEmpty() || node == null) {
            return values.isEmpty() && node != null;
        }
        return !node.isContainerNode() && values.contains(label(node).equals("1") ? "1" : "\"" + label(node) + "\"");
    }

    private static String label(JsonNode node) {
        return !node.isNumber() ? node.asText()
                : node.decimalValue().signum() == 0 ? "0"
                        : node.decimalValue().stripTrailingZeros().toPlainString();
    }

    private static Attribute attribute(JsonNode node) {
        return node.isTextual() ? new Attribute.Text(node.asText())
                : node.isBoolean() ? new Attribute.Flag(node.asBoolean())
                        : node.isContainerNode() ? new Attribute.Nested()
                                : new Attribute.Decimal(
                                        node.decimalValue().signum() == 0 ? BigDecimal.ZERO : node.decimalValue());
    }

    /** Stands for a value that is only reached through an array. */
    private static final JsonNode BEYOND_ARRAY = JSON.createArrayNode().add("beyond");

    private static JsonNode at(JsonNode node, String path) {
        if (path.isEmpty()) {
            return node == null || node.isNull() ? null : node;
        }
        if (node.isArray()) {
            return BEYOND_ARRAY;
        }
        for (String name = path; node.isObject(); name = name.substring(0, name.lastIndexOf('.'))) {
            if (node.hasNonNull(name)) {
                return at(node.get(name), path.substring(Math.min(path.length(), name.length() + 1)));
            }
            if (!name.contains(".")) {
                return null;
            }
        }
        return null;
    }
}
