package dev.windrow.chart;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import com.fasterxml.jackson.databind.JsonNode;

import dev.windrow.dataset.Datasets;
import dev.windrow.dataset.yaml.DatasetsYaml;

/** The datasets on their way from the values to the services. */
class DatasetsTest {

    private static final String CHECKSUM = "checksum/datasets";

    private final WindrowChart chart = new WindrowChart();

    @ParameterizedTest
    @ValueSource(strings = { "trial", "trial-persistent", "minimal", "irsa", "full" })
    void theServicesCanReadTheFile(String shape) {
        Datasets datasets = DatasetsYaml.parse(shape, text(chart.shape(shape).manifests()));

        assertThat(datasets.all()).isNotEmpty();
    }

    @Test
    void aDatasetFileIsAValuesFileAndArrivesUnchanged() throws IOException {
        Path file = Path.of("../quickstart/datasets.yaml");

        JsonNode arrived = file(chart.values(file).with("localAws.enabled", true).manifests());

        assertThat(arrived).isEqualTo(StrictKubernetes.YAML.readTree(file.toFile()));
    }

    @Test
    void timesAndWidthsOfEpochsArriveUnchanged() throws IOException {
        JsonNode arrived = file(chart.shape("full").manifests());

        JsonNode values = StrictKubernetes.YAML.readTree(WindrowChart.ci("full").toFile());
        assertThat(arrived.path("windrow")).isEqualTo(values.path("windrow"));
    }

    @Test
    void bothServicesReadTheFileThatIsMounted() {
        Manifests manifests = chart.shape("minimal").manifests();

        assertThat(manifests.kind("Deployment")).hasSize(2).allSatisfy(deployment -> {
            JsonNode mount = ShapesTest.elements(deployment.podSpec().at("/containers/0/volumeMounts"))
                    .filter(candidate -> candidate.path("name").asText().equals("datasets")).findFirst().orElseThrow();
            JsonNode volume = ShapesTest.elements(deployment.podSpec().path("volumes"))
                    .filter(candidate -> candidate.path("name").asText().equals("datasets")).findFirst().orElseThrow();
            assertThat(volume.at("/configMap/name").asText()).isEqualTo("windrow-datasets");
            assertThat(manifests.one("ConfigMap", "windrow-datasets").tree().path("data")
                    .has(volume.at("/configMap/items/0/key").asText())).isTrue();
            assertThat(Environment.of(deployment)).containsEntry("WINDROW_DATASETS_FILE",
                    mount.path("mountPath").asText() + "/" + volume.at("/configMap/items/0/path").asText());
        });
    }

    @Test
    void otherDatasetsStartNewPodsAndOtherValuesDoNot() {
        Manifests before = chart.shape("minimal").manifests();
        Manifests wider = chart.shape("minimal").with("windrow.datasets.clicks.key-shards", 2).manifests();
        Manifests other = chart.shape("minimal").with("gather.replicas", 5).manifests();

        for (String name : new String[] { "windrow-writer", "windrow-gather" }) {
            assertThat(checksum(before, name)).matches("[0-9a-f]{64}").isNotEqualTo(checksum(wider, name))
                    .isEqualTo(checksum(other, name));
        }
    }

    @Test
    void aConfigMapOfOnesOwnIsMountedInstead() {
        Manifest writer = chart.shape("own-objects").manifests().one("Deployment", "windrow-counting-writer");

        JsonNode volume = writer.podSpec().at("/volumes/0/configMap");
        assertThat(volume.path("name").asText()).isEqualTo("team-datasets");
        assertThat(volume.at("/items/0/key").asText()).isEqualTo("windrow.yaml");
        assertThat(volume.at("/items/0/path").asText()).isEqualTo("datasets.yaml");
    }

    private static String text(Manifests manifests) {
        return manifests.kind("ConfigMap").filter(candidate -> candidate.name().endsWith("-datasets")).findFirst()
                .orElseThrow().tree().path("data").path("datasets.yaml").asText();
    }

    private static JsonNode file(Manifests manifests) throws IOException {
        return StrictKubernetes.YAML.readTree(text(manifests));
    }

    private static String checksum(Manifests manifests, String deployment) {
        return manifests.one("Deployment", deployment).podTemplate().at("/metadata/annotations").path(CHECKSUM).asText();
    }
}
