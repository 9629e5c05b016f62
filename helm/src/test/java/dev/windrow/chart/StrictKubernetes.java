package dev.windrow.chart;

import java.util.List;
import java.util.Map;

import org.jspecify.annotations.Nullable;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.introspect.Annotated;
import com.fasterxml.jackson.databind.introspect.JacksonAnnotationIntrospector;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;

import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.autoscaling.v2.HorizontalPodAutoscalerBehavior;

/**
 * Parses documents as an API server with strict field validation would: an unknown field, a value of another type or a key
 * twice is an error.
 */
final class StrictKubernetes {

    /** Reads YAML in which no key is twice. */
    static final ObjectMapper YAML = YAMLMapper.builder().enable(JsonParser.Feature.STRICT_DUPLICATE_DETECTION).build();

    private static final ObjectMapper STRICT = JsonMapper.builder()
            .annotationIntrospector(new NoRoomForUnknownFields())
            .enable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
            .enable(DeserializationFeature.FAIL_ON_NULL_FOR_PRIMITIVES)
            .build();

    /** Where the classes of an API are. */
    private static final Map<String, String> PACKAGES = Map.of(
            "v1", "io.fabric8.kubernetes.api.model.",
            "apps/v1", "io.fabric8.kubernetes.api.model.apps.",
            "batch/v1", "io.fabric8.kubernetes.api.model.batch.v1.",
            "autoscaling/v2", "io.fabric8.kubernetes.api.model.autoscaling.v2.",
            "policy/v1", "io.fabric8.kubernetes.api.model.policy.v1.",
            "networking.k8s.io/v1", "io.fabric8.kubernetes.api.model.networking.v1.",
            "gateway.networking.k8s.io/v1", "io.fabric8.kubernetes.api.model.gatewayapi.v1.",
            "monitoring.coreos.com/v1", "io.fabric8.openshift.api.model.monitoring.v1.",
            "keda.sh/v1alpha1", "dev.windrow.chart.StrictKubernetes$");

    /** The Kubernetes types collect unknown fields in a map, as clients should; here they are mistakes. */
    private static final class NoRoomForUnknownFields extends JacksonAnnotationIntrospector {
        private static final long serialVersionUID = 1L;

        @Override
        public Boolean hasAnySetter(Annotated annotated) {
            return false;
        }
    }

    private StrictKubernetes() {
    }

    static JsonNode tree(String yaml) {
        try {
            return YAML.readTree(yaml);
        } catch (JsonProcessingException e) {
            throw new AssertionError("expected YAML without a key twice: " + e.getMessage(), e);
        }
    }

    /** Fails unless the document is an object of the type that its apiVersion and kind name. */
    static void check(JsonNode document) {
        String version = document.path("apiVersion").asText();
        String what = version + " " + document.path("kind").asText() + " " + document.at("/metadata/name").asText();
        try {
            STRICT.treeToValue(document, Class.forName(PACKAGES.get(version) + document.path("kind").asText()));
        } catch (ClassNotFoundException e) {
            throw new AssertionError(what + ": unknown kind", e);
        } catch (JsonProcessingException e) {
            throw new AssertionError(what + ": " + e.getMessage(), e);
        }
    }

    /** Of KEDA, as far as the chart uses it: another field is a mistake until it is added here. */
    record ScaledObject(String apiVersion, String kind, ObjectMeta metadata, Spec spec) {

        record Spec(Map<String, String> scaleTargetRef, int minReplicaCount, int maxReplicaCount,
                int pollingInterval, int cooldownPeriod, @Nullable Map<String, Integer> fallback, Advanced advanced,
                List<Trigger> triggers) {
        }

        record Advanced(@Nullable Boolean restoreToOriginalReplicaCount, HpaConfig horizontalPodAutoscalerConfig) {
        }

        record HpaConfig(HorizontalPodAutoscalerBehavior behavior) {
        }

        /** Trigger metadata are strings without exception. */
        record Trigger(String type, @Nullable String name, Map<String, String> metadata,
                @Nullable Map<String, String> authenticationRef) {
        }
    }

    /** Whose identity a trigger of KEDA reads with. */
    record TriggerAuthentication(String apiVersion, String kind, ObjectMeta metadata, Map<String, Map<String, String>> spec) {
    }
}
