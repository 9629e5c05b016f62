package dev.windrow.chart;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import org.junit.jupiter.api.Test;

import com.fasterxml.jackson.databind.JsonNode;

/**
 * What runs with the vendors' own images of DynamoDB Local and ElasticMQ: {@code compose.yaml} and the overlay
 * {@code vendors}. They are the servers that the tests embed.
 */
class VendorServersTest {

    private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();
    private static final List<String> SERVERS = List.of("amazon/dynamodb-local:" + property("dynamodb-local.version"),
            "softwaremill/elasticmq-native:" + property("elasticmq.version"));

    private final Manifests manifests = Manifests.of(Kustomization.build(ROOT.resolve("k8s/overlays/vendors")));

    @Test
    void theirVersionsAreThoseThatTheTestsEmbed() throws IOException {
        assertThat(images()).containsAll(SERVERS);
        assertThat(compose().at("/services")).map(service -> service.path("image").asText()).containsAll(SERVERS);
    }

    @Test
    void noImageOfTheEmbeddedServersHasToBeBuilt() throws IOException {
        assertThat(images()).hasSize(5).noneMatch(image -> image.contains("local-aws"));
        assertThat(compose().path("services").fieldNames()).toIterable().containsExactlyInAnyOrder("dynamodb", "sqs",
                "provision", "writer", "gatherer");
    }

    @Test
    void endpointsAreServicesOfTheOverlayAndTheServersListenThere() {
        for (String name : List.of("Deployment/windrow-writer", "Deployment/windrow-gather", "Job/windrow-provision")) {
            Map<String, String> environment = Environment.of(manifests.one(name.split("/", -1)[0], name.split("/", -1)[1]));
            assertListens(environment.get("QUARKUS_DYNAMODB_ENDPOINT_OVERRIDE"), 8000);
            assertListens(environment.get("QUARKUS_SQS_ENDPOINT_OVERRIDE"), 9324);
        }
    }

    @Test
    void ownPodsAreHardenedAndTheVendorsMayNotGainRights() {
        assertThat(manifests.withPods()).filteredOn(manifest -> !manifest.name().matches("windrow-(dynamodb|sqs)"))
                .hasSize(3).allSatisfy(ShapesTest::podIsHardened);
        assertThat(manifests.withPods()).extracting(manifest -> manifest.podSpec().at("/containers/0/securityContext"))
                .allSatisfy(context -> assertThat(context.path("allowPrivilegeEscalation").asBoolean(true)).isFalse())
                .allSatisfy(context -> assertThat(context.at("/capabilities/drop/0").asText()).isEqualTo("ALL"));
    }

    private void assertListens(String endpoint, int port) {
        Matcher matcher = Pattern.compile("http://([a-z-]+):(\\d+)").matcher(endpoint);
        assertThat(matcher.matches()).as(endpoint).isTrue();
        Manifest service = manifests.one("Service", matcher.group(1));
        assertThat(service.tree().at("/spec/ports/0/port").asInt()).isEqualTo(port).isEqualTo(
                Integer.parseInt(matcher.group(2)));
        List<Manifest> selected = manifests.selectedBy(service.tree().at("/spec/selector"));
        assertThat(selected).hasSize(1);
        assertThat(ShapesTest.ports(selected.get(0))).containsValue(port);
    }

    private List<String> images() {
        return manifests.withPods().map(manifest -> manifest.podSpec().at("/containers/0/image").asText()).toList();
    }

    private static JsonNode compose() throws IOException {
        return StrictKubernetes.YAML.readTree(ROOT.resolve("compose.yaml").toFile());
    }

    private static String property(String name) {
        try {
            Matcher matcher = Pattern.compile("<" + name + ">([^<]+)</").matcher(Files.readString(ROOT.resolve("pom.xml")));
            assertThat(matcher.find()).as(name).isTrue();
            return matcher.group(1);
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }
}
