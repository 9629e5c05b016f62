package dev.windrow.chart;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** Which objects a shape has: a template that is removed, or renders nothing any more, is missed here. */
class InventoryTest {

    @Test
    void aLargeInstallationHasEverything() {
        assertThat(new WindrowChart().shape("full").manifests().ids()).containsExactlyInAnyOrder(
                "ConfigMap/counting-datasets",
                "Deployment/counting-writer", "Service/counting-writer", "ServiceAccount/counting-writer",
                "PodDisruptionBudget/counting-writer", "NetworkPolicy/counting-writer", "ScaledObject/counting-writer",
                "TriggerAuthentication/counting-writer", "ServiceMonitor/counting-writer",
                "Deployment/counting-gather", "Service/counting-gather", "Service/counting-gather-management",
                "ServiceAccount/counting-gather", "PodDisruptionBudget/counting-gather", "NetworkPolicy/counting-gather",
                "HorizontalPodAutoscaler/counting-gather", "ServiceMonitor/counting-gather", "Ingress/counting-gather",
                "HTTPRoute/counting-gather",
                "Job/counting-provision", "ServiceAccount/counting-provision",
                "PrometheusRule/counting", "ConfigMap/counting-dashboard",
                "Pod/counting-test", "ServiceAccount/counting-test",
                "ConfigMap/counting-extra", "ConfigMap/windrow-text");
    }

    @Test
    void theLeastInstallationHasNothingThatNeedsMoreThanKubernetes() {
        assertThat(new WindrowChart().shape("minimal").manifests().ids()).containsExactlyInAnyOrder(
                "ConfigMap/windrow-datasets",
                "Deployment/windrow-writer", "Service/windrow-writer", "ServiceAccount/windrow-writer",
                "PodDisruptionBudget/windrow-writer", "NetworkPolicy/windrow-writer",
                "Deployment/windrow-gather", "Service/windrow-gather", "Service/windrow-gather-management",
                "ServiceAccount/windrow-gather", "PodDisruptionBudget/windrow-gather", "NetworkPolicy/windrow-gather",
                "Pod/windrow-test", "ServiceAccount/windrow-test");
    }

    @Test
    void aTrialHasTheEmbeddedServers() {
        assertThat(new WindrowChart().shape("trial-persistent").manifests().ids()).contains(
                "Deployment/windrow-local-aws", "Service/windrow-local-aws", "ServiceAccount/embedded-aws",
                "NetworkPolicy/windrow-local-aws", "PersistentVolumeClaim/windrow-local-aws");
    }

    @Test
    void whatIsBroughtAlongIsNotRendered() {
        assertThat(new WindrowChart().shape("own-objects").manifests().ids()).containsExactlyInAnyOrder(
                "Deployment/windrow-counting-writer", "Service/windrow-counting-writer",
                "Deployment/windrow-counting-gather", "Service/windrow-counting-gather",
                "Service/windrow-counting-gather-management");
    }
}
