package dev.windrow.chart;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import org.junit.jupiter.api.Test;

import com.fasterxml.jackson.databind.JsonNode;

/** The chart accepts the values in the instructions of the operations page. */
class OperationsTest {

    private static final Pattern API_KEYS = Pattern.compile("secret generic windrow-api-keys --from-file=(\\S+)");
    private static final Pattern OIDC = Pattern.compile("```yaml\\n( *gather:\\n *authentication:\\n.*?)```", Pattern.DOTALL);
    private static final Pattern DRILL = Pattern.compile("```yaml\\n( *# drill\\.yaml\\n.*?)```", Pattern.DOTALL);

    private final WindrowChart chart = new WindrowChart();

    @Test
    void theSecretOfTheWalkthroughHasTheKeyThatItsValuesName() {
        JsonNode volumes = chart.shape("irsa").manifests().one("Deployment", "windrow-gather").podSpec().path("volumes");

        assertThat(Manifest.elements(volumes).map(volume -> volume.at("/secret/items/0/key").asText()))
                .contains(found(API_KEYS));
    }

    @Test
    void theExampleOfOpenIdConnectNamesTheServerAndTheAudience() {
        // When
        Manifests manifests = chart.shape("minimal").and(found(OIDC).stripIndent()).manifests();
        // Then
        assertThat(manifests.one("Deployment", "windrow-gather").environment())
                .containsEntry("WINDROW_GATHER_AUTHENTICATION_TYPE", "oidc")
                .containsEntry("QUARKUS_OIDC_AUTH_SERVER_URL", "https://id.example.com/realms/team")
                .containsEntry("QUARKUS_OIDC_TOKEN_AUDIENCE", "windrow");
    }

    @Test
    void aDrillTakesNothingFromProduction() {
        Manifests production = chart.shape("full").manifests();
        Manifests drill = chart.shape("full").as("windrow-drill", "counting")
                .and(found(DRILL).stripIndent())
                .manifests();

        assertThat(drill.ids()).contains("ServiceAccount/windrow-drill-gather")
                .doesNotContainAnyElementsOf(production.ids());
        assertThat(drill.all()).extracting(Manifest::kind).doesNotContain("ScaledObject", "Job", "Ingress", "HTTPRoute",
                "PrometheusRule");
        assertThat(drill.one("Deployment", "windrow-drill-writer").tree().at("/spec/replicas").asInt(-1)).isZero();
        assertThat(drill.one("Deployment", "windrow-drill-writer").environment().get("WINDROW_WRITER_QUEUE"))
                .isNotEqualTo(production.one("Deployment", "counting-writer").environment().get("WINDROW_WRITER_QUEUE"));
    }

    private static String found(Pattern pattern) {
        Matcher matcher = pattern.matcher(WindrowChart.text(Path.of("../docs/operations.md")));
        assertThat(matcher.find()).as(pattern.pattern()).isTrue();
        return matcher.group(1);
    }
}
