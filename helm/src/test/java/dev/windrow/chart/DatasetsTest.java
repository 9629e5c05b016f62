package dev.windrow.chart;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import com.fasterxml.jackson.databind.JsonNode;

import dev.windrow.dataset.Datasets;
import dev.windrow.dataset.Datasets.InvalidDatasetsException;
import dev.windrow.dataset.DatasetsYaml;

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

    /** What Helm reads as a boolean would be counted under the name {@code true} or {@code false}. */
    @ParameterizedTest
    @ValueSource(strings = { "n", "y", "on", "off", "no", "yes", "true" })
    void namesThatYamlTakesForBooleansAreRefused(String word) throws IOException {
        String clicks = """
                localAws: {enabled: true}
                windrow:
                  datasets:
                    NAME:
                      event-type: TYPE
                      label: [LABEL]
                      granularities: [hour]
                      measures:
                        MEASURE: {type: sum, attribute: ATTRIBUTE}
                """;
        for (String place : List.of("NAME", "TYPE", "LABEL", "MEASURE", "ATTRIBUTE")) {
            Path file = Files.createDirectories(Path.of("target/booleans")).resolve(word + "-" + place + "-values.yaml");
            Files.writeString(file, clicks.replace(place, word).replaceAll("[A-Z]{4,}", "name"));

            assertThatThrownBy(() -> chart.values(file).manifests()).as(place).hasMessageContaining("quote the name")
                    .hasMessageContaining("windrow.datasets.");
        }
    }

    @Test
    void inQuotesTheyAreNamesLikeOthers() throws IOException {
        Path file = Files.createDirectories(Path.of("target/booleans")).resolve("quoted-values.yaml");
        Files.writeString(file, """
                localAws: {enabled: true}
                windrow: {datasets: {"n": {event-type: "on", label: ["y"], granularities: [hour],
                  measures: {"no": {type: sum, attribute: "off"}}}}}
                """);

        Datasets datasets = DatasetsYaml.parse("chart", text(chart.values(file).manifests()));

        assertThat(datasets.named("n").orElseThrow().label()).containsExactly("y");
        assertThat(datasets.named("n").orElseThrow().measures().get(0).name()).isEqualTo("no");
    }

    /** The schema must not refuse at installation what the services have learnt to understand. */
    @Test
    void everyFieldThatTheServicesKnowIsInTheSchema() {
        JsonNode dataset = ValuesTest.SCHEMA.at("/$defs/dataset");

        assertThat(knownFields("", "bad: 1")).isNotEmpty().allSatisfy(
                field -> assertThat(dataset.path("properties").has(field)).as(field).isTrue());
        assertThat(knownFields(".measures.m", "measures: {m: {bad: 1}}")).isNotEmpty().allSatisfy(field -> assertThat(
                dataset.at("/properties/measures/additionalProperties/properties").has(field)).as(field).isTrue());
        assertThat(knownFields(".scatter[0]", "scatter: [{bad: 1}]")).isNotEmpty().allSatisfy(field -> assertThat(
                dataset.at("/properties/scatter/items/properties").has(field)).as(field).isTrue());
    }

    /** What the services' own error says that they expect beside an unknown field. */
    private static List<String> knownFields(String path, String declaration) {
        String message = assertThrows(InvalidDatasetsException.class,
                () -> DatasetsYaml.parse("test", "windrow: {datasets: {clicks: {" + declaration + "}}}")).getMessage();
        Matcher found = Pattern.compile(Pattern.quote("clicks" + path + ".bad") + ": expected only the fields ([a-z, -]+)")
                .matcher(message);
        assertThat(found.find()).as(message).isTrue();
        return List.of(found.group(1).split(", ", -1));
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
