package dev.windrow.chart;

import java.util.LinkedHashMap;
import java.util.Map;

import com.fasterxml.jackson.databind.JsonNode;

/** The environment of a workload's container. */
final class Environment {

    private Environment() {
    }

    /** Variables with the values that the manifest gives; those taken from elsewhere are left out. */
    static Map<String, String> of(Manifest workload) {
        Map<String, String> environment = new LinkedHashMap<>();
        for (JsonNode variable : workload.podSpec().at("/containers/0/env")) {
            if (variable.has("value")) {
                environment.put(variable.path("name").asText(), variable.path("value").asText());
            }
        }
        return environment;
    }
}
