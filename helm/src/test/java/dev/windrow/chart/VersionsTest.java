package dev.windrow.chart;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import org.junit.jupiter.api.Test;

import com.fasterxml.jackson.databind.JsonNode;

/** One version everywhere: the project's, without {@code -SNAPSHOT}. */
class VersionsTest {

    private static final List<String> SERVERS = List.of("amazon/dynamodb-local:" + property("dynamodb-local.version"),
            "softwaremill/elasticmq-native:" + property("elasticmq.version"));

    private final String version = property("version").replace("-SNAPSHOT", "");

    @Test
    void theChartInstallsTheProjectsVersion() {
        JsonNode chart = StrictKubernetes.tree(WindrowChart.text(WindrowChart.FOLDER.resolve("Chart.yaml")));

        assertThat(chart.path("appVersion").asText()).isEqualTo(version);
        assertThat(images(new WindrowChart().shape("trial").manifests())).containsExactlyInAnyOrder(
                "windrow/writer-service:" + version, "windrow/gather-service:" + version, "windrow/local-aws:" + version,
                "windrow/writer-service:" + version);
        assertThat(chart.at("/annotations/artifacthub.io~1images").asText())
                .contains("windrow/writer-service:" + version, "windrow/gather-service:" + version);
    }

    @Test
    void soDoThePlainManifests() {
        Manifests local = Manifests.of(Kustomization.overlay("local"));

        assertThat(images(local)).containsExactlyInAnyOrder("windrow/writer-service:" + version,
                "windrow/gather-service:" + version, "windrow/local-aws:" + version);
    }

    /** Who builds the images as the documentation says gets those that a trial looks for. */
    @Test
    void theDocumentedBuildsMakeTheImagesOfATrial() {
        String operations = WindrowChart.text(Path.of("../docs/operations.md"));

        assertThat(Set.copyOf(images(new WindrowChart().shape("trial").manifests())))
                .allSatisfy(image -> assertThat(operations).contains("-t " + image + " "));
    }

    /** The images of the vendors' own servers, in the overlay {@code vendors} and {@code compose.yaml}. */
    @Test
    void theVendorsServersAreThoseThatTheTestsEmbed() {
        List<String> overlay = images(Manifests.of(Kustomization.overlay("vendors")));
        JsonNode compose = StrictKubernetes.tree(WindrowChart.text(Path.of("../compose.yaml"))).path("services");

        assertThat(compose).extracting(service -> service.path("image").asText()).containsAll(SERVERS);
        assertThat(overlay).hasSize(5).containsAll(SERVERS).noneMatch(image -> image.contains("local-aws"));
        assertThat(compose.fieldNames()).toIterable().containsExactlyInAnyOrder("dynamodb", "sqs", "provision", "writer",
                "gatherer");
    }

    private static List<String> images(Manifests manifests) {
        return manifests.withPods().map(manifest -> manifest.podSpec().at("/containers/0/image").asText()).toList();
    }

    /** Of the parent pom: the first element of that name. */
    private static String property(String name) {
        Matcher found = Pattern.compile("<" + name + ">([^<]+)</").matcher(WindrowChart.text(Path.of("../pom.xml")));
        assertThat(found.find()).as(name).isTrue();
        return found.group(1);
    }
}
