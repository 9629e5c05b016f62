package dev.windrow.chart;

import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

import com.fasterxml.jackson.databind.JsonNode;

/**
 * One rendered document.
 *
 * @param tree as it was rendered
 */
record Manifest(JsonNode tree) {

    String kind() {
        return tree.path("kind").asText();
    }

    String name() {
        return tree.at("/metadata/name").asText();
    }

    String namespace() {
        return tree.at("/metadata/namespace").asText();
    }

    /** Kind and name, which nothing else in a namespace may have. */
    String id() {
        return kind() + "/" + name();
    }

    Map<String, String> labels() {
        return strings(tree.at("/metadata/labels"));
    }

    Map<String, String> annotations() {
        return strings(tree.at("/metadata/annotations"));
    }

    /** What it runs as pods: the pod template, the pod itself, or nothing. */
    JsonNode podTemplate() {
        return kind().equals("Pod") ? tree : tree.at("/spec/template");
    }

    JsonNode podSpec() {
        return podTemplate().path("spec");
    }

    boolean hasPods() {
        return podSpec().has("containers");
    }

    /** Variables of its container with the values that it gives; those taken from elsewhere are left out. */
    Map<String, String> environment() {
        return elements(podSpec().at("/containers/0/env")).filter(variable -> variable.has("value"))
                .collect(Collectors.toMap(variable -> variable.path("name").asText(),
                        variable -> variable.path("value").asText()));
    }

    /** Ports of its container by name. */
    Map<String, Integer> ports() {
        return elements(podSpec().at("/containers/0/ports")).collect(
                Collectors.toMap(port -> port.path("name").asText(), port -> port.path("containerPort").asInt()));
    }

    static Stream<JsonNode> elements(JsonNode list) {
        return StreamSupport.stream(list.spliterator(), false);
    }

    static Map<String, String> strings(JsonNode map) {
        return map.properties().stream()
                .collect(Collectors.toMap(Map.Entry::getKey, entry -> entry.getValue().asText()));
    }

    @Override
    public String toString() {
        return id();
    }
}
