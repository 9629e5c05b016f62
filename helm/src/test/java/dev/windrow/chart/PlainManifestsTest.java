package dev.windrow.chart;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import com.fasterxml.jackson.databind.JsonNode;

import dev.windrow.dataset.DatasetsYaml;

/** The plain manifests in {@code k8s/}, beyond what {@link GoldenTest} and {@link RulesTest} say of them. */
class PlainManifestsTest {

    @ParameterizedTest
    @ValueSource(strings = { "local", "vendors", "production" })
    void theServicesCanReadTheDatasets(String overlay) {
        String datasets = manifests(overlay).one("ConfigMap", "windrow-datasets").tree().at("/data/datasets.yaml").asText();
        assertThat(DatasetsYaml.parse("k8s", datasets).all()).isNotEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = { "local", "vendors" })
    void endpointsAreServicesWhosePodsListenThere(String overlay) {
        Manifests manifests = manifests(overlay);
        List<String> endpoints = manifests.withPods().flatMap(workload -> workload.environment().entrySet().stream())
                .filter(variable -> variable.getKey().endsWith("_ENDPOINT_OVERRIDE")).map(Map.Entry::getValue).distinct()
                .toList();

        assertThat(endpoints).hasSize(2).allSatisfy(endpoint -> assertThat(manifests.kind("Service"))
                .anySatisfy(service -> {
                    List<Manifest> selected = manifests.selectedBy(service.tree().at("/spec/selector"));
                    assertThat(service.tree().at("/spec/ports")).anySatisfy(port -> {
                        assertThat(endpoint).isEqualTo("http://" + service.name() + ":" + port.path("port").asText());
                        assertThat(selected.get(0).ports()).containsValue(port.path("port").asInt());
                    });
                }));
    }

    /** All tests are worth as much as our reading of kustomize: where the real one is installed, it must agree. */
    @ParameterizedTest
    @ValueSource(strings = { "local", "vendors", "production" })
    void kubectlMakesTheSame(String overlay) throws Exception {
        Optional<Path> kubectl = Promtool.onThePath("kubectl");
        assumeTrue(kubectl.isPresent(), "no kubectl on the PATH");
        Process process = new ProcessBuilder(kubectl.get().toString(), "kustomize", Kustomization.OVERLAYS.resolve(overlay)
                .toString()).redirectError(ProcessBuilder.Redirect.DISCARD).start();
        String text = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).isZero();

        // the name of the ConfigMap ends in a hash of its content
        String withoutHash = text.replaceAll("windrow-datasets-[a-z0-9]{10}", "windrow-datasets");
        assertThat(byId(Manifests.parse(withoutHash))).isEqualTo(byId(manifests(overlay)));
    }

    private static Map<String, JsonNode> byId(Manifests manifests) {
        return manifests.all().stream().collect(Collectors.toMap(Manifest::id, Manifest::tree));
    }

    private static Manifests manifests(String overlay) {
        return Manifests.of(Kustomization.overlay(overlay));
    }
}
