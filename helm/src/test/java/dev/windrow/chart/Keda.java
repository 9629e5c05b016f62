package dev.windrow.chart;

import java.util.List;
import java.util.Map;

import org.jspecify.annotations.Nullable;

import com.fasterxml.jackson.annotation.JsonProperty;

import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.autoscaling.v2.HorizontalPodAutoscalerBehavior;

/** The types of KEDA that the chart uses, as far as it uses them: another field is a mistake until it is added here. */
final class Keda {

    private Keda() {
    }

    /** Scales a workload on its triggers. */
    record ScaledObject(String apiVersion, String kind, ObjectMeta metadata, Spec spec) {

        record Spec(Target scaleTargetRef, int minReplicaCount, int maxReplicaCount, int pollingInterval, int cooldownPeriod,
                @Nullable Fallback fallback, Advanced advanced, List<Trigger> triggers) {
        }

        record Target(String apiVersion, String kind, String name) {
        }

        record Fallback(int failureThreshold, int replicas) {
        }

        record Advanced(@Nullable Boolean restoreToOriginalReplicaCount, HpaConfig horizontalPodAutoscalerConfig) {
        }

        record HpaConfig(HorizontalPodAutoscalerBehavior behavior) {
        }

        /** Trigger metadata are strings without exception. */
        record Trigger(String type, @Nullable String name, Map<String, String> metadata,
                @Nullable Reference authenticationRef) {
        }

        record Reference(String name) {
        }
    }

    /** Whose identity a trigger reads with. */
    record TriggerAuthentication(String apiVersion, String kind, ObjectMeta metadata, Spec spec) {

        record Spec(PodIdentity podIdentity) {
        }

        record PodIdentity(@JsonProperty(required = true) String provider, String identityOwner) {
        }
    }
}
