package dev.windrow.chart;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Map;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import com.fasterxml.jackson.databind.JsonNode;

import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.apps.RollingUpdateDeployment;
import io.fabric8.kubernetes.api.model.autoscaling.v2.HorizontalPodAutoscaler;
import io.fabric8.kubernetes.api.model.policy.v1.PodDisruptionBudget;

/** Who decides how many pods there are. */
class ScalingTest {

    private final WindrowChart chart = new WindrowChart();

    @Test
    void replicasAreThoseOfTheValuesWhereNothingScales() {
        Manifests manifests = chart.shape("minimal").with("writer.replicas", 3).with("gather.replicas", 4).manifests();

        assertThat(manifests.one(Deployment.class, "windrow-writer").getSpec().getReplicas()).isEqualTo(3);
        assertThat(manifests.one(Deployment.class, "windrow-gather").getSpec().getReplicas()).isEqualTo(4);
    }

    /** Each writer needs a lane of the journal. At the limit, a rollout cannot add a pod before it ends another. */
    @ParameterizedTest
    @CsvSource({ "writer.replicas, minimal, windrow-writer", "writer.keda.maxReplicas, full, counting-writer" })
    void thereAreNoMoreWritersThanLanes(String key, String shape, String name) {
        Manifests most = chart.shape(shape).with(key, 64).manifests();
        Manifests fewer = chart.shape(shape).with(key, 63).manifests();

        assertThat(rollingUpdate(most, name)).isEqualTo("0, 1");
        assertThat(rollingUpdate(fewer, name)).isEqualTo("1, 0");
        assertThatThrownBy(() -> chart.shape(shape).with(key, 65).manifests()).hasMessageContaining("64");
    }

    private static String rollingUpdate(Manifests manifests, String name) {
        RollingUpdateDeployment update = manifests.one(Deployment.class, name).getSpec().getStrategy().getRollingUpdate();
        return update.getMaxSurge().getIntVal() + ", " + update.getMaxUnavailable().getIntVal();
    }

    @Test
    void replicasAreLeftToTheScalersThatOwnThem() {
        Manifests manifests = chart.shape("full").manifests();

        assertThat(manifests.one(Deployment.class, "counting-writer").getSpec().getReplicas()).isNull();
        assertThat(manifests.one(Deployment.class, "counting-gather").getSpec().getReplicas()).isNull();
    }

    @Test
    void kedaScalesTheWriterOnWaitingMessagesAlone() {
        Manifests manifests = chart.shape("full")
                .and("writer: {keda: {queueLength: 2000000, activationQueueLength: 1000000}}").manifests();
        Keda.ScaledObject scaled = manifests.one(Keda.ScaledObject.class, "counting-writer");

        assertThat(scaled.spec().scaleTargetRef()).isEqualTo(
                new Keda.ScaledObject.Target("apps/v1", "Deployment", "counting-writer"));
        assertThat(scaled.spec().minReplicaCount()).isEqualTo(2);
        assertThat(scaled.spec().maxReplicaCount()).isEqualTo(20);
        assertThat(scaled.spec().triggers()).hasSize(1).allSatisfy(trigger -> {
            assertThat(trigger.type()).isEqualTo("aws-sqs-queue");
            assertThat(trigger.metadata()).isEqualTo(Map.of("queueURL",
                    "https://sqs.eu-central-1.amazonaws.com/111122223333/windrow-events", "awsRegion", "eu-central-1",
                    "queueLength", "2000000", "activationQueueLength", "1000000", "scaleOnInFlight", "false"));
            assertThat(trigger.authenticationRef()).isEqualTo(new Keda.ScaledObject.Reference("counting-writer"));
        });
        assertThat(manifests.one(Keda.TriggerAuthentication.class, "counting-writer").spec().podIdentity())
                .isEqualTo(new Keda.TriggerAuthentication.PodIdentity("aws", "keda"));
    }

    @Test
    void queuesThatKedaDoesNotLookAtAreRefused() {
        String queues = "writer: {config: {windrow.writer.queues: 'windrow-events,orders'}}";

        assertThatThrownBy(() -> chart.shape("full").and(queues).text())
                .hasMessageContaining("writer.config: windrow.writer.queues: expected nothing with writer.keda.enabled");
        assertThat(chart.shape("minimal").and(queues).text()).contains("windrow.writer.queues=windrow-events,orders");
    }

    @Test
    void theScaledObjectTakesWhatElseKedaOffers() {
        Keda.ScaledObject scaled = chart.shape("platform").manifests().one(Keda.ScaledObject.class, "windrow-counts-writer");

        assertThat(scaled.metadata().getAnnotations()).containsEntry("autoscaling.keda.sh/paused", "false");
        assertThat(scaled.spec().fallback()).isEqualTo(new Keda.ScaledObject.Fallback(3, 6));
        assertThat(scaled.spec().advanced().restoreToOriginalReplicaCount()).isTrue();
        assertThat(scaled.spec().advanced().horizontalPodAutoscalerConfig().behavior().getScaleUp()
                .getStabilizationWindowSeconds()).isEqualTo(30);
        assertThat(scaled.spec().triggers()).extracting(Keda.ScaledObject.Trigger::type)
                .containsExactly("aws-sqs-queue", "cron");
        // so that a formula of scaling modifiers can name it
        assertThat(scaled.spec().triggers().get(0).name()).isEqualTo("queue");
        assertThat(scaled.spec().triggers().get(1).metadata()).containsEntry("desiredReplicas", "10");
    }

    /** The operator's own identity works with IRSA and Pod Identity alike; for either choice the notes say what it needs. */
    @Test
    void theNotesPrintWhatKedaNeeds() {
        assertThat(Policies.permissions(Policies.of(chart.shape("full").notes()).get("keda-operator")))
                .containsExactly("sqs:GetQueueAttributes windrow-events");
        assertThat(chart.shape("full").with("writer.keda.identityOwner", "workload").notes())
                .contains("\"sts:AssumeRole\"", "trust policy of the writer's role").doesNotContain("keda-operator");
        assertThat(chart.shape("minimal").notes()).doesNotContain("KEDA");
    }

    @Test
    void theGathererIsScaledOnCpu() {
        HorizontalPodAutoscaler scaler = chart.shape("full").manifests().one(HorizontalPodAutoscaler.class, "counting-gather");

        assertThat(scaler.getSpec().getScaleTargetRef().getName()).isEqualTo("counting-gather");
        assertThat(scaler.getSpec().getMetrics()).hasSize(1).allSatisfy(metric -> {
            assertThat(metric.getResource().getName()).isEqualTo("cpu");
            assertThat(metric.getResource().getTarget().getAverageUtilization()).isEqualTo(70);
        });
    }

    @Test
    void evictionsTakeOnePodAtATime() {
        Manifests manifests = chart.shape("minimal").manifests();

        for (String name : new String[] { "windrow-writer", "windrow-gather" }) {
            assertThat(manifests.one(PodDisruptionBudget.class, name).getSpec().getMaxUnavailable().getIntVal()).isEqualTo(1);
        }
    }

    @Test
    void podsAreSpreadOverZonesAndNodes() {
        assertThat(chart.shape("minimal").manifests().kind("Deployment")).hasSize(2).allSatisfy(deployment -> {
            JsonNode spreads = deployment.podSpec().path("topologySpreadConstraints");
            assertThat(ShapesTest.elements(spreads).map(spread -> spread.path("topologyKey").asText()))
                    .containsExactly("topology.kubernetes.io/zone", "kubernetes.io/hostname");
        });
    }

    @Test
    void aPodMayTakeAsLongToEndAsItsSleepAndItsDrainAndALittleMore() {
        Manifests manifests = chart.shape("minimal").with("writer.drainSeconds", 100).with("gather.drainSeconds", 50)
                .manifests();

        Manifest writer = manifests.one("Deployment", "windrow-writer");
        assertThat(gracePeriod(writer)).isEqualTo(115);
        assertThat(Environment.of(writer)).containsEntry("WINDROW_WRITER_DRAIN_TIMEOUT", "100s");
        Manifest gather = manifests.one("Deployment", "windrow-gather");
        assertThat(gracePeriod(gather)).isEqualTo(70);
        assertThat(Environment.of(gather)).containsEntry("QUARKUS_SHUTDOWN_TIMEOUT", "50s");
    }

    @Test
    void theSleepIsTheOneThatTakesPlace() {
        String longer = "{lifecycleHooks: {preStop: {sleep: {seconds: 20}}}}";
        Manifests slept = chart.shape("minimal").and("writer: %1$s%ngather: %1$s".formatted(longer)).manifests();
        Manifests executed = chart.shape("minimal").and("gather: {lifecycleHooks: {preStop: {exec: {command: [wait]}}}}")
                .manifests();
        Manifests withoutSleep = chart.shape("minimal").on("1.28.0").manifests();

        assertThat(gracePeriod(slept.one("Deployment", "windrow-writer"))).isEqualTo(65);
        assertThat(gracePeriod(slept.one("Deployment", "windrow-gather"))).isEqualTo(65);
        assertThat(gracePeriod(executed.one("Deployment", "windrow-gather"))).isEqualTo(45);
        assertThat(gracePeriod(withoutSleep.one("Deployment", "windrow-gather"))).isEqualTo(45);
    }

    @Test
    void theGathererGoesOnWhileLoadBalancersLearnWhereTheKubeletCanWait() {
        String preStop = "/spec/template/spec/containers/0/lifecycle/preStop/sleep/seconds";

        assertThat(chart.shape("minimal").manifests().one("Deployment", "windrow-gather").tree().at(preStop).asInt())
                .isEqualTo(5);
        assertThat(chart.shape("minimal").on("1.28.0").manifests().one("Deployment", "windrow-gather").tree().at(preStop)
                .isMissingNode()).isTrue();
    }

    private static int gracePeriod(Manifest deployment) {
        return deployment.podSpec().path("terminationGracePeriodSeconds").asInt();
    }
}
