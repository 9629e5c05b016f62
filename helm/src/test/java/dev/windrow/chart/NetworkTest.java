package dev.windrow.chart;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import com.fasterxml.jackson.databind.JsonNode;

import io.fabric8.kubernetes.api.model.gatewayapi.v1.HTTPRoute;
import io.fabric8.kubernetes.api.model.networking.v1.Ingress;

/** Who reaches what. */
class NetworkTest {

    private final WindrowChart chart = new WindrowChart();

    @Test
    void theIngressLeadsToTheApiAndNothingElse() {
        Manifests manifests = chart.shape("full").manifests();
        Ingress ingress = manifests.one(Ingress.class, "counting-gather");

        assertThat(ingress.getSpec().getIngressClassName()).isEqualTo("nginx");
        assertThat(ingress.getSpec().getTls()).hasSize(1);
        assertThat(ingress.getSpec().getRules()).hasSize(1).allSatisfy(rule -> {
            assertThat(rule.getHost()).isEqualTo("counting.example.com");
            assertThat(rule.getHttp().getPaths()).hasSize(1).allSatisfy(path -> {
                assertThat(path.getPath()).isEqualTo("/api");
                assertThat(path.getPathType()).isEqualTo("Prefix");
                Manifest service = manifests.one("Service", path.getBackend().getService().getName());
                assertThat(servicePorts(service)).containsKey(path.getBackend().getService().getPort().getName());
            });
        });
    }

    @Test
    void theRouteLeadsToTheApiAndNothingElse() {
        Manifests manifests = chart.shape("full").manifests();
        HTTPRoute route = manifests.one(HTTPRoute.class, "counting-gather");

        assertThat(route.getSpec().getParentRefs()).extracting(parent -> parent.getName()).containsExactly("public");
        assertThat(route.getSpec().getRules()).hasSize(1).allSatisfy(rule -> {
            assertThat(rule.getMatches()).hasSize(1)
                    .allSatisfy(match -> assertThat(match.getPath().getValue()).isEqualTo("/api"));
            assertThat(rule.getBackendRefs()).hasSize(1).allSatisfy(backend -> {
                Manifest service = manifests.one("Service", backend.getName());
                assertThat(servicePorts(service)).containsValue(backend.getPort());
            });
        });
    }

    @Test
    void thePageIsPublishedBesidesTheApiWhereItIsSwitchedOn() {
        Manifests manifests = chart.shape("full").with("gather.page.published", "true").manifests();

        assertThat(manifests.one(Ingress.class, "counting-gather").getSpec().getRules()).hasSize(1).allSatisfy(
                rule -> assertThat(rule.getHttp().getPaths()).extracting(path -> path.getPathType() + " " + path.getPath())
                        .containsExactly("Prefix /api", "Exact /", "Prefix /page"));
        assertThat(manifests.one(HTTPRoute.class, "counting-gather").getSpec().getRules()).hasSize(1).allSatisfy(
                rule -> assertThat(rule.getMatches())
                        .extracting(match -> match.getPath().getType() + " " + match.getPath().getValue())
                        .containsExactly("PathPrefix /api", "Exact /", "PathPrefix /page"));
    }

    @Test
    void aPageThatIsSwitchedOffIsNeitherServedNorPublished() {
        Manifests manifests = chart.shape("full").with("gather.page.enabled", "false").with("gather.page.published", "true")
                .manifests();

        assertThat(manifests.one("Deployment", "counting-gather").tree()
                .at("/spec/template/spec/containers/0/env").findValuesAsText("name")).contains("WINDROW_GATHER_PAGE_ENABLED");
        assertThat(manifests.one(Ingress.class, "counting-gather").getSpec().getRules().get(0).getHttp().getPaths())
                .extracting(path -> path.getPath()).containsExactly("/api");
    }

    @Test
    void publishedNamesAreAllowedWithoutAuthentication() {
        // When
        Manifests published = chart.shape("full").with("gather.authentication.type", "none")
                .and("gather: {httpRoute: {hostnames: ['*.counts.example.com', counting.example.com]}}").manifests();
        Manifests inside = chart.shape("minimal").manifests();
        Manifests trial = chart.shape("trial").manifests();
        Manifests withKeys = chart.shape("full").manifests();
        Manifests own = chart.shape("minimal").and("gather: {config: {windrow.gather.api.allowed-hosts: a.example}}")
                .manifests();

        // Then
        assertThat(allowedHosts(published, "counting-gather"))
                .isEqualTo("counting-gather.counting,counting.example.com,*.counts.example.com");
        assertThat(allowedHosts(inside, "windrow-gather")).isEqualTo("windrow-gather.counting");
        assertThat(allowedHosts(trial, "windrow-gather")).isEqualTo("windrow-gather.counting");
        assertThat(allowedHosts(withKeys, "counting-gather")).isNull();
        assertThat(allowedHosts(own, "windrow-gather")).isNull();
        assertThat(own.one("ConfigMap", "windrow-gather").tree().at("/data/application.properties").asText())
                .contains("windrow.gather.api.allowed-hosts=a.example");
    }

    private static @Nullable String allowedHosts(Manifests manifests, String deployment) {
        return Environment.of(manifests.one("Deployment", deployment)).get("WINDROW_GATHER_API_ALLOWED_HOSTS");
    }

    @Test
    void metricsAndHealthAreNeverOnTheServiceThatMayBePublished() {
        Manifests manifests = chart.shape("minimal").with("gather.service.type", "LoadBalancer").manifests();

        Manifest open = manifests.one("Service", "windrow-gather");
        assertThat(open.tree().at("/spec/type").asText()).isEqualTo("LoadBalancer");
        assertThat(servicePorts(open)).containsOnlyKeys("http");
        Manifest management = manifests.one("Service", "windrow-gather-management");
        assertThat(management.tree().at("/spec/type").asText()).isEqualTo("ClusterIP");
        assertThat(servicePorts(management)).containsOnlyKeys("management");
    }

    @Test
    void policiesNamePortsOfThePodsTheySelect() {
        Manifests manifests = chart.shape("trial").manifests();

        assertThat(manifests.kind("NetworkPolicy")).hasSize(3).allSatisfy(policy -> {
            Manifest selected = manifests.selectedBy(policy.tree().at("/spec/podSelector/matchLabels")).get(0);
            for (JsonNode rule : policy.tree().at("/spec/ingress")) {
                for (JsonNode port : rule.path("ports")) {
                    assertThat(ShapesTest.ports(selected)).containsKey(port.path("port").asText());
                }
            }
            assertThat(policy.tree().at("/spec/policyTypes")).extracting(JsonNode::asText).containsExactly("Ingress",
                    "Egress");
        });
    }

    @Test
    void nobodyReachesTheWritersHttpPort() {
        JsonNode ingress = chart.shape("full").manifests().one("NetworkPolicy", "counting-writer").tree().at("/spec/ingress");

        assertThat(ingress).hasSize(1);
        assertThat(ingress.at("/0/ports/0/port").asText()).isEqualTo("management");
        assertThat(ingress.at("/0/from/0/namespaceSelector/matchLabels").toString()).contains("monitoring");
    }

    @Test
    void theApiMayBeKeptForSomeAndForTheTest() {
        JsonNode api = chart.shape("full").manifests().one("NetworkPolicy", "counting-gather").tree().at("/spec/ingress/0");

        assertThat(api.at("/ports/0/port").asText()).isEqualTo("http");
        assertThat(api.path("from")).hasSize(2);
        assertThat(api.at("/from/0/namespaceSelector/matchLabels").toString()).contains("ingress");
        assertThat(api.at("/from/1/podSelector/matchLabels").toString()).contains("test");
    }

    @Test
    void egressIsForNamesAwsAndItsCredentialsOnly() {
        JsonNode egress = chart.shape("minimal").manifests().one("NetworkPolicy", "windrow-gather").tree().at("/spec/egress");

        assertThat(egress.findValuesAsText("port")).containsExactly("53", "53", "443", "80");
        assertThat(egress.findValuesAsText("cidr")).containsExactly("169.254.170.23/32");
        assertThat(chart.shape("full").manifests().one("NetworkPolicy", "counting-gather").tree().at("/spec/egress")
                .findValuesAsText("port")).contains("4317");
    }

    @Test
    void inATrialEgressEndsAtTheEmbeddedServers() {
        Manifests manifests = chart.shape("trial").manifests();

        assertThat(manifests.one("NetworkPolicy", "windrow-writer").tree().at("/spec/egress").findValuesAsText("port"))
                .containsExactly("53", "53", "dynamodb", "sqs");
        assertThat(manifests.one("NetworkPolicy", "windrow-local-aws").tree().at("/spec/egress")).isEmpty();
    }

    private static Map<String, Integer> servicePorts(Manifest service) {
        return ShapesTest.elements(service.tree().at("/spec/ports")).collect(java.util.stream.Collectors
                .toMap(port -> port.path("name").asText(), port -> port.path("port").asInt()));
    }
}
