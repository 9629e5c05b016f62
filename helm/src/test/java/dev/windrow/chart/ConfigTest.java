package dev.windrow.chart;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.StringReader;
import java.util.Map;
import java.util.Properties;
import java.util.stream.Collectors;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import com.fasterxml.jackson.databind.JsonNode;

/**
 * Settings that pass through {@code writer.config} and {@code gather.config}. That services use them is tested with services.
 */
class ConfigTest {

    private final WindrowChart chart = new WindrowChart();

    @ParameterizedTest
    @ValueSource(strings = { "writer", "gather" })
    void aServiceReadsItsSettingsFromAFile(String service) {
        Manifests manifests = chart.shape("minimal").and("%s: {config: {quarkus.log.level: DEBUG}}".formatted(service))
                .manifests();
        Manifest deployment = manifests.one("Deployment", "windrow-" + service);

        String path = Environment.of(deployment).get("QUARKUS_CONFIG_LOCATIONS");
        JsonNode mount = named(deployment.podSpec().at("/containers/0/volumeMounts"), "config");
        JsonNode volume = named(deployment.podSpec().path("volumes"), "config");
        assertThat(path).isEqualTo(mount.path("mountPath").asText() + "/" + volume.at("/configMap/items/0/path").asText());
        assertThat(manifests.one("ConfigMap", volume.at("/configMap/name").asText()).tree().path("data")
                .path(volume.at("/configMap/items/0/key").asText()).asText()).contains("quarkus.log.level=DEBUG");
        assertThat(manifests.all()).filteredOn(manifest -> manifest.kind().equals("ConfigMap")).hasSize(2);
    }

    @Test
    void withoutSettingsThereIsNoFile() {
        Manifests manifests = chart.shape("minimal").manifests();

        assertThat(manifests.kind("ConfigMap")).hasSize(1);
        assertThat(manifests.kind("Deployment")).allSatisfy(
                deployment -> assertThat(Environment.of(deployment)).doesNotContainKey("QUARKUS_CONFIG_LOCATIONS"));
    }

    @Test
    void everyValueArrivesExactly() {
        Map<String, String> settings = settings("""
                writer:
                  config:
                    windrow.writer.source.max-bytes: 20000000
                    windrow.writer.store.max-write-units: 0.25
                    windrow.writer.management.enabled: true
                    windrow.writer.aggregate.max-age: 2s
                    quarkus.log.category."dev.windrow".level: DEBUG
                    test.lines: "two\\nlines"
                    test.spaces: "  leading and trailing "
                    test.backslash: 'a\\b\\,c'
                    test.signs: '# ! = : ü €'
                    test.text: "007"
                    test.empty: ""
                """);

        assertThat(settings).containsEntry("windrow.writer.source.max-bytes", "20000000")
                .containsEntry("windrow.writer.store.max-write-units", "0.25")
                .containsEntry("windrow.writer.management.enabled", "true")
                .containsEntry("windrow.writer.aggregate.max-age", "2s")
                .containsEntry("quarkus.log.category.\"dev.windrow\".level", "DEBUG")
                .containsEntry("test.lines", "two\nlines")
                .containsEntry("test.spaces", "  leading and trailing ")
                .containsEntry("test.backslash", "a\\b\\,c")
                .containsEntry("test.signs", "# ! = : ü €")
                .containsEntry("test.text", "007")
                .containsEntry("test.empty", "");
    }

    /** Between the variables of the container, which are 300, and what is in the image, which is 250. */
    @Test
    void variablesTakePrecedence() {
        assertThat(settings("writer: {config: {quarkus.log.level: DEBUG}}")).containsEntry("config_ordinal", "290");
    }

    @Test
    void aChangeStartsNewPodsOfThatServiceAlone() {
        Manifests one = chart.shape("minimal").and("writer: {config: {quarkus.log.level: DEBUG}}").manifests();
        Manifests other = chart.shape("minimal").and("writer: {config: {quarkus.log.level: INFO}}").manifests();

        assertThat(one.one("Deployment", "windrow-writer").podTemplate())
                .isNotEqualTo(other.one("Deployment", "windrow-writer").podTemplate());
        assertThat(one.one("Deployment", "windrow-gather").podTemplate())
                .isEqualTo(other.one("Deployment", "windrow-gather").podTemplate());
    }

    @ParameterizedTest
    @CsvSource({
            "writer, windrow.table",
            "writer, windrow.writer.queue",
            "writer, windrow.writer.drain-timeout",
            "writer, '%prod.windrow.writer.queue'",
            "writer, quarkus.http.host",
            "writer, quarkus.http.port",
            "writer, quarkus.management.port",
            "writer, config_ordinal",
            "gather, windrow.datasets-file",
            "gather, windrow.gather.authentication.type",
            "gather, quarkus.shutdown.timeout",
            "gather, aws.region",
            "gather, quarkus.config.locations" })
    void aKeyThatTheChartSetsItselfIsRefused(String service, String key) {
        assertThatThrownBy(() -> chart.shape("minimal").and("%s: {config: {'%s': x}}".formatted(service, key)).text())
                .hasMessageContaining(service + ".config: " + key + ": expected a key that the chart does not set itself");
    }

    @Test
    void aKeyThatTheChartSetsInSomeInstallationsIsRefusedInThose() {
        String endpoint = "writer: {config: {quarkus.sqs.endpoint-override: 'http://sqs.internal'}}";

        assertThat(chart.shape("minimal").and(endpoint).text()).contains("quarkus.sqs.endpoint-override=http://sqs.internal");
        assertThatThrownBy(() -> chart.shape("trial").and(endpoint).text())
                .hasMessageContaining("writer.config: quarkus.sqs.endpoint-override: expected a key that");
    }

    @ParameterizedTest
    @CsvSource({ "writer, windrow.gather.fanout.max-reads, gather", "gather, windrow.writer.aggregate.max-age, writer" })
    void aKeyOfTheOtherServiceIsRefused(String service, String key, String other) {
        assertThatThrownBy(() -> chart.shape("minimal").and("%s: {config: {%s: 1}}".formatted(service, key)).text())
                .hasMessageContaining("%s.config: %s: expected a key of this service; set it in %s.config", service, key,
                        other);
    }

    @ParameterizedTest
    @ValueSource(strings = { "{a: [b]}", "{a: {b: c}}", "{'a b': c}", "{'a=b': c}", "{a: null, 'b:c': d}" })
    void settingsAreTextNumbersOrBooleansByKey(String config) {
        assertThatThrownBy(() -> chart.shape("minimal").and("writer: {config: %s}".formatted(config)).text())
                .hasMessageContaining("values don't meet the specifications of the schema");
    }

    private Map<String, String> settings(String yaml) {
        String text = chart.shape("minimal").and(yaml).manifests().one("ConfigMap", "windrow-writer").tree()
                .at("/data/application.properties").asText();
        Properties properties = new Properties();
        try {
            properties.load(new StringReader(text));
        } catch (IOException e) {
            throw new AssertionError(e);
        }
        return properties.stringPropertyNames().stream()
                .collect(Collectors.toMap(name -> name, properties::getProperty));
    }

    private static JsonNode named(JsonNode list, String name) {
        return ShapesTest.elements(list).filter(element -> element.path("name").asText().equals(name)).findFirst()
                .orElseThrow();
    }
}
