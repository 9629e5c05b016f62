package dev.windrow.chart;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The checks of the other tests would be worth nothing if the parser let mistakes pass. */
class StrictKubernetesTest {

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            apps/v1, kind: Deployment, spec: {template: {spec: {containers: [{name: c, imagePulPolicy: Always}]}}} | imagePulPolicy
            keda.sh/v1alpha1, kind: ScaledObject, spec: {minReplicaCount: 1, maxReplicaCount: 1, pollingInterval: 1, cooldownPeriod: 1, minReplicas: 1} | minReplicas
            apps/v1, kind: Deployment, spec: {replicas: many}                                                      | replicas
            v1, kind: ConfigMap, metadata: {name: a, name: b}                                                      | name
            extensions/v1beta1, kind: Deployment                                      | extensions/v1beta1 Deployment
            """)
    void aMistakeIsRefusedByName(String document, String name) {
        assertThatThrownBy(() -> Manifests.parse("{apiVersion: " + document + "}")).hasMessageContaining(name);
    }

    @Test
    void documentsArePartedAndEmptyOnesLeftOut() {
        assertThat(Manifests.parse("""
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
                """).ids()).containsExactlyInAnyOrder("ConfigMap/a", "ServiceAccount/b");
    }
}
