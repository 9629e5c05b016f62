package dev.windrow.chart;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;

/**
 * The documented values of a values file as a Markdown table. A comment that begins with {@code # --} documents the key below
 * it, with everything in it; each value has to be documented by itself or by a key above it.
 */
final class ValuesTable {

    private static final Pattern KEY = Pattern.compile("( *)([A-Za-z][A-Za-z0-9-]*):.*");
    private static final Pattern COMMENT = Pattern.compile(" *# -- (.*)");

    private final JsonNode values;
    private final Map<String, String> documented = new LinkedHashMap<>();
    private final Deque<String> path = new ArrayDeque<>();
    private String comment = "";
    private int documentedDepth = Integer.MAX_VALUE;

    private ValuesTable(JsonNode values) {
        this.values = values;
    }

    static String of(String yaml) {
        ValuesTable table = read(yaml);
        StringBuilder text = new StringBuilder("| value | default | meaning |\n|---|---|---|\n");
        table.documented.forEach((path, comment) -> text.append("| `").append(path).append("` | `")
                .append(table.values.at("/" + path.replace('.', '/'))).append("` | ").append(comment.replace("|", "\\|"))
                .append(" |\n"));
        return text.toString();
    }

    /** The comment of each documented value by its path, such as {@code writer.replicas}. */
    static Map<String, String> documented(String yaml) {
        return read(yaml).documented;
    }

    private static ValuesTable read(String yaml) {
        try {
            ValuesTable table = new ValuesTable(StrictKubernetes.YAML.readTree(yaml));
            yaml.lines().forEach(table::line);
            return table;
        } catch (JsonProcessingException e) {
            throw new AssertionError(e);
        }
    }

    private void line(String line) {
        Matcher found = COMMENT.matcher(line);
        if (found.matches()) {
            comment = found.group(1);
            return;
        }
        Matcher key = KEY.matcher(line);
        if (!key.matches()) {
            return;
        }
        int depth = key.group(1).length() / 2;
        while (path.size() > depth) {
            path.removeLast();
        }
        path.addLast(key.group(2));
        if (depth > documentedDepth) {
            return;
        }
        documentedDepth = comment.isEmpty() ? Integer.MAX_VALUE : depth;
        JsonNode value = values.at("/" + String.join("/", path));
        if (!comment.isEmpty()) {
            documented.put(String.join(".", path), comment);
        } else if (!value.isObject() || value.isEmpty()) {
            throw new AssertionError(String.join(".", path) + ": expected a comment beginning with '# --'");
        }
        comment = "";
    }
}
