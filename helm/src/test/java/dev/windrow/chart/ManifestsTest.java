package dev.windrow.chart;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

/** The checks of the other tests would be worth nothing if the parser let mistakes pass. */
class ManifestsTest {

    @Test
    void anUnknownFieldIsRefusedHoweverDeep() {
        assertThatThrownBy(() -> Manifests.parse("""
                apiVersion: apps/v1
                kind: Deployment
                metadata: {name: a}
                spec: {template: {spec: {containers: [{name: c, imagePulPolicy: Always}]}}}
                """)).hasMessageContaining("imagePulPolicy");
    }

    @Test
    void anUnknownFieldOfACustomResourceIsRefused() {
        assertThatThrownBy(() -> Manifests.parse("""
                apiVersion: keda.sh/v1alpha1
                kind: ScaledObject
                metadata: {name: a}
                spec: {minReplicaCount: 1, maxReplicaCount: 1, pollingInterval: 1, cooldownPeriod: 1, minReplicas: 1}
                """)).hasMessageContaining("minReplicas");
    }

    @Test
    void aValueOfAnotherTypeIsRefused() {
        assertThatThrownBy(() -> Manifests.parse("""
                apiVersion: apps/v1
                kind: Deployment
                metadata: {name: a}
                spec: {replicas: many}
                """)).hasMessageContaining("replicas");
    }

    @Test
    void aKeyTwiceIsRefused() {
        assertThatThrownBy(() -> Manifests.parse("""
                apiVersion: v1
                kind: ConfigMap
                metadata: {name: a, name: b}
                """)).hasMessageContaining("name");
    }

    @Test
    void anUnknownKindIsRefused() {
        assertThatThrownBy(() -> Manifests.parse("""
                apiVersion: extensions/v1beta1
                kind: Deployment
                metadata: {name: a}
                """)).hasMessageContaining("extensions/v1beta1 Deployment");
    }

    @Test
    void documentsArePartedAndEmptyOnesLeftOut() {
        Manifests manifests = Manifests.parse("""
                ---
                # nothing
                ---
                apiVersion: v1
                kind: ConfigMap
                metadata: {name: a}
                ---
                apiVersion: v1
                kind: ServiceAccount
                metadata: {name: b}
                """);

        assertThat(manifests.ids()).containsExactlyInAnyOrder("ConfigMap/a", "ServiceAccount/b");
    }
}
