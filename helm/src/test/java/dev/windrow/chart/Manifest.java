package dev.windrow.chart;

import java.util.Map;
import java.util.stream.Collectors;

import com.fasterxml.jackson.databind.JsonNode;

/**
 * One rendered document.
 *
 * @param tree as it was rendered
 * @param object the same as an object of its Kubernetes type
 */
record Manifest(JsonNode tree, Object object) {

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

    boolean isHook() {
        return annotations().containsKey(WindrowChart.SHOWN_HOOK);
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

    static Map<String, String> strings(JsonNode map) {
        return map.properties().stream()
                .collect(Collectors.toMap(Map.Entry::getKey, entry -> entry.getValue().asText()));
    }

    @Override
    public String toString() {
        return id();
    }
}
