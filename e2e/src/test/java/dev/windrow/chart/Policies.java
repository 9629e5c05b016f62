package dev.windrow.chart;

import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import com.fasterxml.jackson.databind.JsonNode;

/** The IAM policies that the notes print. */
final class Policies {

    private static final Pattern POLICY = Pattern.compile("service account (\\S+):\\n\\s*(\\{.*?\\n})", Pattern.DOTALL);

    private Policies() {
    }

    /** By service account. */
    static Map<String, JsonNode> of(String notes) {
        Map<String, JsonNode> policies = new TreeMap<>();
        Matcher policy = POLICY.matcher(notes);
        while (policy.find()) {
            policies.put(policy.group(1), StrictKubernetes.tree(policy.group(2)));
        }
        return policies;
    }

    /** Each action with each of its resources, such as {@code sqs:SendMessage windrow-events}. */
    static Set<String> permissions(JsonNode policy) {
        Set<String> permissions = new TreeSet<>();
        for (JsonNode statement : policy.path("Statement")) {
            JsonNode resources = statement.path("Resource");
            for (JsonNode action : statement.path("Action")) {
                (resources.isArray() ? Manifest.elements(resources) : Stream.of(resources)).map(JsonNode::asText)
                        .map(arn -> arn.substring(arn.lastIndexOf(':') + 1))
                        .forEach(resource -> permissions.add(action.asText() + " " + resource));
            }
        }
        return permissions;
    }
}
