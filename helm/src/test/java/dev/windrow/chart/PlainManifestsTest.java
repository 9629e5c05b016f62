package dev.windrow.chart;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.File;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import com.fasterxml.jackson.databind.JsonNode;

import dev.windrow.dataset.DatasetsYaml;

/** The plain manifests in {@code k8s/}. */
class PlainManifestsTest {

    private static final Path FOLDER = Path.of("../k8s").toAbsolutePath().normalize();

    @ParameterizedTest
    @ValueSource(strings = { "local", "vendors", "production" })
    void everyDocumentIsValidAndThereOnce(String overlay) {
        assertThat(manifests(overlay).all()).extracting(Manifest::id).doesNotHaveDuplicates()
                .contains("Deployment/windrow-writer", "Deployment/windrow-gather", "Service/windrow-writer",
                        "Service/windrow-gather", "ServiceAccount/windrow-writer", "ServiceAccount/windrow-gather",
                        "ConfigMap/windrow-datasets");
    }

    @ParameterizedTest
    @ValueSource(strings = { "local", "vendors", "production" })
    void selectorsFindOneWorkloadAndServicePortsAreContainerPorts(String overlay) {
        Manifests manifests = manifests(overlay);

        assertThat(manifests.kind("Service")).isNotEmpty().allSatisfy(service -> {
            List<Manifest> selected = manifests.selectedBy(service.tree().at("/spec/selector"));
            assertThat(selected).hasSize(1);
            for (JsonNode port : service.tree().at("/spec/ports")) {
                String target = port.path("targetPort").asText();
                Map<String, Integer> ports = ShapesTest.ports(selected.get(0));
                assertThat(ports.containsKey(target) || ports.containsValue(port.path("targetPort").asInt()))
                        .as(target).isTrue();
            }
        });
        assertThat(manifests.kind("Deployment")).allSatisfy(deployment -> assertThat(
                manifests.selectedBy(deployment.tree().at("/spec/selector/matchLabels"))).containsExactly(deployment));
        assertThat(manifests.kind("PodDisruptionBudget")).allSatisfy(budget -> assertThat(
                manifests.selectedBy(budget.tree().at("/spec/selector/matchLabels"))).hasSize(1));
    }

    @ParameterizedTest
    @ValueSource(strings = { "local", "production" })
    void podsAreHardened(String overlay) {
        assertThat(manifests(overlay).withPods()).hasSizeGreaterThanOrEqualTo(2).allSatisfy(ShapesTest::podIsHardened);
        assertThat(manifests(overlay).kind("Deployment")).allSatisfy(ShapesTest::mayTakeFiveMinutesToStart);
    }

    /** Documentation and examples need to know one port only. */
    @Test
    void servicesHaveThePortsOfTheChart() {
        assertThat(manifests("local").one("Service", "windrow-gather").tree().at("/spec/ports/0/port").asInt())
                .isEqualTo(8080);
        assertThat(manifests("local").one("Service", "windrow-writer").tree().at("/spec/ports/0/port").asInt())
                .isEqualTo(8081);
    }

    @ParameterizedTest
    @ValueSource(strings = { "local", "vendors", "production" })
    void theServicesAreProbedOnTheManagementPortAndReadTheDatasets(String overlay) {
        Manifests manifests = manifests(overlay);

        for (String name : List.of("windrow-writer", "windrow-gather")) {
            Manifest deployment = manifests.one("Deployment", name);
            int management = ShapesTest.ports(deployment).get("management");
            for (String probe : List.of("startupProbe", "livenessProbe", "readinessProbe")) {
                assertThat(deployment.podSpec().at("/containers/0").path(probe).at("/httpGet/port").asInt())
                        .isEqualTo(management);
            }
            assertThat(Environment.of(deployment)).containsEntry("WINDROW_DATASETS_FILE",
                    "/etc/windrow/datasets/datasets.yaml");
            assertThat(manifests.has("ServiceAccount", deployment.podSpec().path("serviceAccountName").asText())).isTrue();
        }
        String datasets = manifests.one("ConfigMap", "windrow-datasets").tree().at("/data/datasets.yaml").asText();
        assertThat(DatasetsYaml.parse("k8s", datasets).all()).isNotEmpty();
    }

    @Test
    void theLocalOverlayPointsAtTheEmbeddedServersAndProductionAtAws() {
        Manifests local = manifests("local");
        assertThat(local.has("Service", "windrow-local-aws")).isTrue();
        assertThat(Environment.of(local.one("Deployment", "windrow-writer")))
                .containsEntry("QUARKUS_DYNAMODB_ENDPOINT_OVERRIDE", "http://windrow-local-aws:8000")
                .containsEntry("QUARKUS_SQS_ENDPOINT_OVERRIDE", "http://windrow-local-aws:9324");
        assertThat(Environment.of(local.one("Deployment", "windrow-gather")))
                .containsEntry("WINDROW_GATHER_AUTHENTICATION_TYPE", "none");

        Manifests production = manifests("production");
        assertThat(production.ids()).doesNotContain("Service/windrow-local-aws");
        assertThat(Environment.of(production.one("Deployment", "windrow-writer")))
                .containsEntry("AWS_REGION", "eu-central-1").doesNotContainKeys("AWS_ACCESS_KEY_ID",
                        "QUARKUS_SQS_ENDPOINT_OVERRIDE");
        assertThat(Environment.of(production.one("Deployment", "windrow-gather")))
                .containsEntry("WINDROW_GATHER_AUTHENTICATION_TYPE", "api-key");
        assertThat(production.one("ServiceAccount", "windrow-writer").annotations())
                .containsKey("eks.amazonaws.com/role-arn");
    }

    /** As with the chart. Kubernetes replaces a reference to a variable only if that one comes earlier in the list. */
    @ParameterizedTest
    @ValueSource(strings = { "local", "vendors" })
    void withoutAuthenticationTheServiceIsAllowedByItsNameWithTheNamespace(String overlay) {
        // Given
        Manifests manifests = manifests(overlay);

        // When
        Manifest gather = manifests.one("Deployment", "windrow-gather");
        List<String> variables = gather.podSpec().at("/containers/0/env").findValuesAsText("name");

        // Then
        assertThat(Environment.of(gather)).containsEntry("WINDROW_GATHER_AUTHENTICATION_TYPE", "none")
                .containsEntry("WINDROW_GATHER_API_ALLOWED_HOSTS", "windrow-gather.$(KUBERNETES_NAMESPACE)");
        assertThat(manifests.has("Service", "windrow-gather")).isTrue();
        assertThat(variables).containsSubsequence("KUBERNETES_NAMESPACE", "WINDROW_GATHER_API_ALLOWED_HOSTS");
        assertThat(gather.podSpec().at("/containers/0/env").get(variables.indexOf("KUBERNETES_NAMESPACE"))
                .at("/valueFrom/fieldRef/fieldPath").asText()).isEqualTo("metadata.namespace");
    }

    @Test
    void inProductionReplicasAreLeftToTheScaler() {
        Manifests production = manifests("production");

        assertThat(production.one("Deployment", "windrow-gather").tree().path("spec").has("replicas")).isFalse();
        assertThat(production.has("HorizontalPodAutoscaler", "windrow-gather")).isTrue();
        assertThat(production.one("Deployment", "windrow-writer").tree().at("/spec/replicas").asInt()).isEqualTo(2);
    }

    @Test
    void inProductionTheGathererGoesOnWhileLoadBalancersLearn() {
        JsonNode pod = manifests("production").one("Deployment", "windrow-gather").podSpec();

        assertThat(pod.at("/containers/0/lifecycle/preStop/sleep/seconds").asInt()).isEqualTo(5);
        assertThat(pod.path("terminationGracePeriodSeconds").asInt()).isEqualTo(50);
    }

    /** The tests above are worth as much as our reading of kustomize: where the real one is installed, it must agree. */
    @ParameterizedTest
    @ValueSource(strings = { "local", "vendors", "production" })
    void kubectlMakesTheSame(String overlay) throws Exception {
        assumeTrue(kubectl().isPresent(), "no kubectl on the PATH");
        Process process = new ProcessBuilder(kubectl().get().toString(), "kustomize", FOLDER.resolve("overlays/" + overlay)
                .toString()).redirectError(ProcessBuilder.Redirect.DISCARD).start();
        String text = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).isZero();

        // the name of the ConfigMap ends in a hash of its content
        String withoutHash = text.replaceAll("windrow-datasets-[a-z0-9]{10}", "windrow-datasets");
        assertThat(byId(Manifests.documents(withoutHash)))
                .isEqualTo(byId(Kustomization.build(FOLDER.resolve("overlays/" + overlay))));
    }

    private static Optional<Path> kubectl() {
        return Stream.of(System.getenv("PATH").split(File.pathSeparator, -1)).map(folder -> Path.of(folder, "kubectl"))
                .filter(Files::isExecutable).findFirst();
    }

    private static Map<String, JsonNode> byId(List<JsonNode> documents) {
        Map<String, JsonNode> byId = new TreeMap<>();
        documents.forEach(document -> byId.put(document.path("kind").asText() + "/" + document.at("/metadata/name").asText(),
                document));
        return byId;
    }

    private static Manifests manifests(String overlay) {
        return Manifests.of(Kustomization.build(FOLDER.resolve("overlays").resolve(overlay)));
    }
}
