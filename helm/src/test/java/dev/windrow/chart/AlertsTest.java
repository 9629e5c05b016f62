package dev.windrow.chart;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Files;
import java.nio.file.Path;

import org.junit.jupiter.api.Test;

import com.fasterxml.jackson.databind.JsonNode;

/** When each alert fires and when not, checked with promtool where it is installed. */
class AlertsTest {

    private static final Path CASES = Path.of("src/test/resources/alerts-test.yaml");

    private final JsonNode spec = new WindrowChart().shape("full").manifests().one("PrometheusRule", "counting").tree()
            .path("spec");

    @Test
    void everyAlertHasACaseInWhichItFires() throws Exception {
        String cases = Files.readString(CASES);

        assertThat(spec.findValuesAsText("alert")).isNotEmpty()
                .allSatisfy(alert -> assertThat(cases).contains("alertname=\"" + alert + "\""));
    }

    @Test
    void alertsFireWhenTheyShouldAndOnlyThen() throws Exception {
        assumeTrue(Promtool.isThere(), "no promtool on the PATH: the alerts were not tried out");
        Path folder = Files.createDirectories(Path.of("target/alerts"));
        StrictKubernetes.YAML.writeValue(folder.resolve("rules.yaml").toFile(), spec);
        Files.writeString(folder.resolve("alerts-test.yaml"), Files.readString(CASES));

        Promtool.Result result = Promtool.testRules(folder.resolve("alerts-test.yaml"));

        assertThat(result.exitCode()).as(result.output()).isZero();
        assertThat(result.output()).contains("SUCCESS");
    }
}
