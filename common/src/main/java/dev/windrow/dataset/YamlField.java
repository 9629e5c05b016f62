package dev.windrow.dataset;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;

import org.jspecify.annotations.Nullable;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;

import dev.windrow.base.Sanitized;
import dev.windrow.event.Attribute;

/** A field of the file, with its path. Reading it as the wrong type notes a problem and returns nothing. */
record YamlField(String path, JsonNode node, List<String> problems) {

    YamlField {
        node = node.isNull() ? MissingNode.getInstance() : node;
    }

    boolean isAbsent() {
        return node.isMissingNode();
    }

    boolean isObject() {
        return node.isObject();
    }

    boolean isList() {
        return node.isArray();
    }

    boolean is(String text) {
        return node.isTextual() && node.textValue().equals(text);
    }

    /** The text of a value; empty for an object or a list. */
    String text() {
        return node.asText();
    }

    YamlField field(String name) {
        return new YamlField(path.isEmpty() ? name : path + "." + name, node.path(name), problems);
    }

    void requireKnownFields(String... names) {
        Set<String> known = new TreeSet<>(Set.of(names));
        node.fieldNames().forEachRemaining(name -> {
            if (!known.contains(name)) {
                field(name).problem("unknown field: the known ones are " + String.join(", ", known));
            }
        });
    }

    /** The fields of an object, at least one. */
    Map<String, YamlField> requiredEntries() {
        Map<String, YamlField> entries = new LinkedHashMap<>();
        node.fieldNames().forEachRemaining(name -> entries.put(name, field(name)));
        if (entries.isEmpty()) {
            problem("expected at least one named entry, found " + found());
        }
        return entries;
    }

    /** The elements of a list, at least one. */
    List<YamlField> requiredElements() {
        List<YamlField> elements = elements();
        if (elements.isEmpty() && (isAbsent() || node.isArray())) {
            problem("expected a list with at least one element, found " + found());
        }
        return elements;
    }

    /** The elements of a list that is required, but may be empty. */
    List<YamlField> presentElements() {
        if (isAbsent()) {
            problem("expected a list, found nothing");
        }
        return elements();
    }

    /** The elements of a list; none if it is absent. */
    List<YamlField> elements() {
        List<YamlField> elements = new ArrayList<>();
        if (!isAbsent() && !node.isArray()) {
            problem("expected a list, found " + found());
        }
        if (node.isArray()) {
            for (int i = 0; i < node.size(); i++) {
                elements.add(new YamlField(path + "[" + i + "]", node.get(i), problems));
            }
        }
        return elements;
    }

    /** Parses a text; a number is read as its text, as YAML authors omit quotes. */
    <T> Optional<T> parsed(Function<String, Optional<T>> parser, String expectation) {
        Optional<T> value = node.isValueNode() && !isAbsent() ? parser.apply(node.asText()) : Optional.empty();
        if (value.isEmpty()) {
            problem("expected " + expectation + ", found " + found());
        }
        return value;
    }

    /** Like {@link #parsed}, but null if absent. */
    <T> @Nullable T optional(Function<String, Optional<T>> parser, String expectation) {
        return isAbsent() ? null : parsed(parser, expectation).orElse(null);
    }

    /** Parses the elements of a list, each of which may occur once. */
    static <T> List<T> distinct(List<YamlField> elements, Function<String, Optional<T>> parser, String expectation) {
        List<T> values = new ArrayList<>();
        elements.forEach(element -> element.parsed(parser, expectation).ifPresent(value -> {
            if (values.contains(value)) {
                element.problem("'" + value + "' is listed twice");
            }
            values.add(value);
        }));
        return values;
    }

    /** A whole number in a closed range, or the default if absent. */
    int integer(int from, int to, int absent) {
        if (isAbsent()) {
            return absent;
        }
        if (node.isIntegralNumber() && node.canConvertToInt() && node.intValue() >= from && node.intValue() <= to) {
            return node.intValue();
        }
        problem("expected a whole number from " + from + " to " + to + ", found " + found());
        return absent;
    }

    /** A boolean; false if absent. */
    boolean flag() {
        if (!isAbsent() && !node.isBoolean()) {
            problem("expected true or false, found " + found());
        }
        return node.booleanValue();
    }

    /** A value of an event's attribute; null if absent. */
    @Nullable
    Attribute attribute() {
        if (isAbsent()) {
            return null;
        }
        if (node.isNumber()) {
            return new Attribute.Decimal(node.decimalValue());
        }
        if (node.isBoolean()) {
            return new Attribute.Flag(node.booleanValue());
        }
        return parsed(text -> Optional.of(new Attribute.Text(text)), "text, a number or a boolean").orElse(null);
    }

    void problem(String expectation) {
        problems.add((path.isEmpty() ? "the file" : path) + ": " + expectation);
    }

    private String found() {
        if (isAbsent()) {
            return "nothing";
        }
        return Sanitized.line(node.isValueNode() ? "'" + node.asText() + "'" : node.toString(), 60);
    }
}
