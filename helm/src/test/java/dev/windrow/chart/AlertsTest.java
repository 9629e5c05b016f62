package dev.windrow.chart;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.File;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;

import com.fasterxml.jackson.databind.JsonNode;

/** When each alert fires and when not, by Prometheus' own tool where that is at hand. */
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
        Optional<Path> promtool = promtool();
        assumeTrue(promtool.isPresent(), "no promtool on the PATH: the alerts were not tried out");
        Path folder = Files.createDirectories(Path.of("target/alerts"));
        StrictKubernetes.YAML.writeValue(folder.resolve("rules.yaml").toFile(), spec);
        Files.writeString(folder.resolve("alerts-test.yaml"), Files.readString(CASES));

        Process process = new ProcessBuilder(promtool.get().toString(), "test", "rules", "alerts-test.yaml")
                .directory(folder.toFile()).redirectErrorStream(true).start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);

        assertThat(process.waitFor()).as(output).isZero();
        assertThat(output).contains("SUCCESS");
    }

    private static Optional<Path> promtool() {
        return Stream.of(System.getenv("PATH").split(File.pathSeparator, -1)).map(folder -> Path.of(folder, "promtool"))
                .filter(Files::isExecutable).findFirst();
    }
}
