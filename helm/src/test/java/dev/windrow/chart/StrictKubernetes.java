package dev.windrow.chart;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.introspect.Annotated;
import com.fasterxml.jackson.databind.introspect.JacksonAnnotationIntrospector;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaim;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.Service;
import io.fabric8.kubernetes.api.model.ServiceAccount;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.autoscaling.v2.HorizontalPodAutoscaler;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.fabric8.kubernetes.api.model.gatewayapi.v1.HTTPRoute;
import io.fabric8.kubernetes.api.model.networking.v1.Ingress;
import io.fabric8.kubernetes.api.model.networking.v1.NetworkPolicy;
import io.fabric8.kubernetes.api.model.policy.v1.PodDisruptionBudget;
import io.fabric8.openshift.api.model.monitoring.v1.PodMonitor;
import io.fabric8.openshift.api.model.monitoring.v1.PrometheusRule;
import io.fabric8.openshift.api.model.monitoring.v1.ServiceMonitor;

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

    private static final Map<String, Class<?>> TYPES = types(Map.ofEntries(
            Map.entry("v1", List.of(ConfigMap.class, PersistentVolumeClaim.class, Pod.class, Service.class,
                    ServiceAccount.class)),
            Map.entry("apps/v1", List.of(Deployment.class)),
            Map.entry("batch/v1", List.of(Job.class)),
            Map.entry("autoscaling/v2", List.of(HorizontalPodAutoscaler.class)),
            Map.entry("policy/v1", List.of(PodDisruptionBudget.class)),
            Map.entry("networking.k8s.io/v1", List.of(Ingress.class, NetworkPolicy.class)),
            Map.entry("gateway.networking.k8s.io/v1", List.of(HTTPRoute.class)),
            Map.entry("monitoring.coreos.com/v1", List.of(PodMonitor.class, PrometheusRule.class,
                    ServiceMonitor.class)),
            Map.entry("keda.sh/v1alpha1", List.of(Keda.ScaledObject.class, Keda.TriggerAuthentication.class))));

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

    /** The document as an object of the type that its apiVersion and kind name. */
    static Object parse(JsonNode document) {
        String key = document.path("apiVersion").asText() + " " + document.path("kind").asText();
        Class<?> type = TYPES.get(key);
        if (type == null) {
            throw new AssertionError("expected one of " + TYPES.keySet() + ", found '" + key + "' in\n" + document);
        }
        try {
            return STRICT.treeToValue(document, type);
        } catch (JsonProcessingException e) {
            throw new AssertionError(key + " " + document.at("/metadata/name") + ": " + e.getMessage(), e);
        }
    }

    private static Map<String, Class<?>> types(Map<String, List<Class<?>>> byVersion) {
        Map<String, Class<?>> types = new TreeMap<>();
        byVersion.forEach((version, classes) -> classes
                .forEach(type -> types.put(version + " " + type.getSimpleName(), type)));
        return types;
    }
}
