package dev.windrow.chart;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What Helm prints after an installation. */
class NotesTest {

    private static final Pattern OBJECT = Pattern.compile("\\b(deployment|service)/([a-z0-9-]+)");

    private final WindrowChart chart = new WindrowChart();

    @ParameterizedTest
    @ValueSource(strings = { "trial", "minimal", "irsa", "own-objects", "full" })
    void commandsNameObjectsThatThereAre(String shape) {
        Manifests manifests = chart.shape(shape).manifests();

        List<String> named = new ArrayList<>();
        Matcher object = OBJECT.matcher(chart.shape(shape).notes());
        while (object.find()) {
            String kind = object.group(1).substring(0, 1).toUpperCase(Locale.ROOT) + object.group(1).substring(1);
            named.add(kind + "/" + object.group(2));
        }
        assertThat(named).hasSizeGreaterThanOrEqualTo(2).isSubsetOf(manifests.ids());
    }

    @Test
    void theyNameTheUrlOfTheApi() {
        assertThat(chart.shape("full").notes()).contains("/api/v1/datasets", "counting.example.com");
        assertThat(chart.shape("minimal").notes()).contains("port-forward service/windrow-gather 8080:8080");
    }

    @Test
    void theirCommandsHaveTheCredentialsAndTheRegionThatTheyNeed() {
        assertThat(chart.shape("full").notes())
                .contains("curl -H \"X-API-Key: $KEY\" https://counting.example.com/api/v1/datasets", "Secret windrow-api-keys")
                .doesNotContain("tests.apiKeySecret");
        assertThat(chart.shape("full").with("tests.apiKeySecret", "").notes()).contains("set tests.apiKeySecret to a Secret");
        assertThat(chart.shape("minimal").with("gather.authentication.type", "oidc")
                .with("gather.authentication.oidc.authServerUrl", "https://id.example.com").notes())
                .contains("curl -H \"Authorization: Bearer $TOKEN\" http://localhost:8080", "access token from https://id");
        assertThat(chart.shape("minimal").notes()).contains("   curl http://localhost:8080/api/v1/datasets");
        assertThat(chart.shape("trial").notes()).contains(
                "export AWS_ACCESS_KEY_ID=local AWS_SECRET_ACCESS_KEY=local AWS_DEFAULT_REGION=us-east-1\n");
    }

    @Test
    void anEventForAFifoQueueHasAGroup() {
        String queues = "aws: {queue: events.fifo, deadLetterQueue: events-dlq.fifo}";

        assertThat(chart.shape("trial").and(queues).notes()).contains("--message-group-id", "--message-deduplication-id");
        assertThat(chart.shape("trial").notes()).doesNotContain("--message-group-id");
    }

    @Test
    void theySayThatThereIsNoTestWhereItWouldNeedAnAccessToken() {
        assertThat(chart.shape("minimal").notes()).contains("helm test windrow --namespace counting",
                "Test, service account windrow-test");
        assertThat(chart.shape("minimal").with("gather.authentication.type", "oidc")
                .with("gather.authentication.oidc.authServerUrl", "https://id.example.com").notes())
                .contains("The chart has no test for this")
                .doesNotContain("helm test", "tests.apiKeySecret", "windrow-test");
        assertThat(chart.shape("own-objects").notes()).doesNotContain("The chart has no test");
    }

    @Test
    void theySayWhatBecomesOfATrialsData() {
        assertThat(chart.shape("trial").notes()).contains("in memory, gone with the pod");
        assertThat(chart.shape("trial-persistent").notes()).contains("until helm uninstall, which deletes it");
    }

    @Test
    void theyWarnOfATrialAndOfAnOpenApi() {
        assertThat(chart.shape("trial").notes()).contains("THIS IS A TRIAL").doesNotContain("WARNING");
        assertThat(chart.shape("minimal").notes()).contains("WARNING: the API requires no authentication");
        assertThat(chart.shape("irsa").notes()).doesNotContain("WARNING", "TRIAL");
    }
}
