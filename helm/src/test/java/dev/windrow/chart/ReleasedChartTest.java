package dev.windrow.chart;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import com.fasterxml.jackson.databind.JsonNode;
import com.marcnuri.helm.Helm;

/** The chart as a release packages it, by {@code .ci/release-chart}. */
class ReleasedChartTest {

    private static final String REGISTRY = "registry.example.com/team";
    private static final String SOURCE = "https://code.example.com/team/windrow";

    @TempDir
    private static Path folder;

    private static JsonNode metadata;
    private static String version;
    private static WindrowChart chart;

    @BeforeAll
    static void release() throws IOException, InterruptedException {
        Process process = new ProcessBuilder("../.ci/release-chart", REGISTRY, folder.toString(), SOURCE).inheritIO().start();
        assertThat(process.waitFor()).isZero();
        metadata = StrictKubernetes.tree(WindrowChart.text(folder.resolve("windrow/Chart.yaml")));
        version = metadata.path("version").asText();
        chart = new WindrowChart(folder.resolve("windrow"));
    }

    @Test
    void itsImagesComeFromTheRegistryThatTheyWerePushedTo() {
        List<String> images = chart.shape("minimal").manifests().withPods()
                .map(manifest -> manifest.podSpec().at("/containers/0/image").asText()).toList();

        assertThat(images).isNotEmpty().allMatch(image -> image.startsWith(REGISTRY + "/windrow/"))
                .allMatch(image -> image.endsWith(":" + version));
        // what Artifact Hub scans is what is installed
        JsonNode annotated = StrictKubernetes.tree(metadata.at("/annotations/artifacthub.io~1images").asText());
        assertThat(annotated).map(image -> image.path("image").asText()).containsAll(images);
    }

    @Test
    void itsAlertsLinkToTheRunbookOfItsVersionByDefault() {
        String runbook = SOURCE + "/blob/v" + version + "/docs/operations.md#windrow";
        JsonNode rules = chart.shape("minimal")
                .with("monitoring.prometheusRule.enabled", true).manifests().one("PrometheusRule", "windrow").tree();

        assertThat(rules.findValuesAsText("runbook_url")).isNotEmpty().hasSameSizeAs(rules.findValuesAsText("alert"))
                .allMatch(url -> url.startsWith(runbook));
        assertThat(metadata.path("home").asText()).isEqualTo(SOURCE);
    }

    @Test
    void itsReadmeInstallsItAndLinksToTheDocsOfItsVersion() {
        // Given
        String readme = WindrowChart.text(folder.resolve("windrow/README.md"));
        String install = "helm install windrow oci://" + REGISTRY + "/charts/windrow --version " + version;
        // Then
        assertThat(readme).doesNotContain("../", "helm/windrow")
                .contains("](" + SOURCE + "/blob/v" + version + "/docs/operations.md)", install + " -f datasets.yaml",
                        // a trial's images are loaded into the cluster, since local-aws is not published
                        install + " --set image.registry= --set localAws.enabled=true");
    }

    @Test
    void itIsLintedAndPackagedUnderItsVersion() throws IOException {
        assertThat(chart.lint().isFailed()).isFalse();
        new Helm(folder.resolve("windrow")).packageIt().withDestination(folder).call();

        try (Stream<Path> files = Files.list(folder)) {
            assertThat(files.filter(Files::isRegularFile)).extracting(file -> file.getFileName().toString())
                    .containsExactly("windrow-" + version + ".tgz");
        }
    }
}
