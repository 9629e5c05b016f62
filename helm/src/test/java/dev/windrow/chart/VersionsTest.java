package dev.windrow.chart;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;

import org.junit.jupiter.api.Test;

import com.fasterxml.jackson.databind.JsonNode;

/** One version everywhere: the project's, without {@code -SNAPSHOT}. */
class VersionsTest {

    private final String version = projectVersion();

    @Test
    void theChartInstallsTheProjectsVersion() throws IOException {
        JsonNode chart = StrictKubernetes.YAML.readTree(WindrowChart.FOLDER.resolve("Chart.yaml").toFile());

        assertThat(chart.path("appVersion").asText()).isEqualTo(version);
        assertThat(images(new WindrowChart().shape("trial").manifests())).containsExactlyInAnyOrder(
                "windrow/writer-service:" + version, "windrow/gather-service:" + version, "windrow/local-aws:" + version,
                "windrow/writer-service:" + version);
        assertThat(chart.at("/annotations/artifacthub.io~1images").asText())
                .contains("windrow/writer-service:" + version, "windrow/gather-service:" + version);
    }

    @Test
    void soDoThePlainManifests() {
        Manifests local = Manifests.of(Kustomization.build(Path.of("../k8s/overlays/local")));

        assertThat(images(local)).containsExactlyInAnyOrder("windrow/writer-service:" + version,
                "windrow/gather-service:" + version, "windrow/local-aws:" + version);
    }

    /** Who builds the images as the documentation says gets those that a trial looks for. */
    @Test
    void theDocumentedBuildsMakeTheImagesOfATrial() throws IOException {
        String operations = Files.readString(Path.of("../docs/operations.md"));

        assertThat(Set.copyOf(images(new WindrowChart().shape("trial").manifests())))
                .allSatisfy(image -> assertThat(operations).contains("-t " + image + " "));
    }

    @Test
    void imagesMayComeFromARegistryAndByDigest() {
        assertThat(images(new WindrowChart().shape("full").manifests())).contains(
                "registry.example.com/team/windrow/writer-service@sha256:" + "0".repeat(64),
                "registry.example.com/team/windrow/gather-service:" + version);
        assertThat(images(new WindrowChart().shape("minimal").with("image.tag", "9.9").with("gather.image.tag", "8.8")
                .manifests())).contains("windrow/writer-service:9.9", "windrow/gather-service:8.8");
    }

    private static List<String> images(Manifests manifests) {
        return manifests.withPods().map(manifest -> manifest.podSpec().at("/containers/0/image").asText()).toList();
    }

    private static String projectVersion() {
        try {
            String pom = Files.readString(Path.of("../pom.xml"));
            int begin = pom.indexOf("<version>") + "<version>".length();
            return pom.substring(begin, pom.indexOf("</version>")).replace("-SNAPSHOT", "");
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }
}
