package dev.windrow.chart;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.IOException;
import java.io.StringReader;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import dev.windrow.dataset.Datasets;
import dev.windrow.dataset.Datasets.InvalidDatasetsException;
import dev.windrow.dataset.DatasetsYaml;

/** Datasets and settings arrive in the services' files as they are in the values. */
class PassedThroughTest {

    private final WindrowChart chart = new WindrowChart();

    @Test
    void aDatasetFileIsAValuesFileAndArrivesUnchanged() {
        Path file = Path.of("../quickstart/datasets.yaml");

        assertThat(StrictKubernetes.tree(datasets(chart.values(file).with("localAws.enabled", true).manifests())))
                .isEqualTo(StrictKubernetes.tree(WindrowChart.text(file)));
    }

    /** Without quotes they are refused: see {@link RefusedValuesTest}. */
    @Test
    void namesThatYamlWouldTakeForBooleansMayBeQuoted() {
        Datasets datasets = DatasetsYaml.parse("chart", datasets(chart.shape("trial").and("""
                windrow: {datasets: {"n": {event-type: "on", label: ["y"], granularities: [hour],
                  measures: {"no": {type: sum, attribute: "off"}}}}}
                """).manifests()));

        assertThat(datasets.named("n").orElseThrow().label()).containsExactly("y");
        assertThat(datasets.named("n").orElseThrow().measures().get(0).name()).isEqualTo("no");
    }

    /** The schema must not refuse at installation what the services have learnt to understand. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            clicks.bad                | datasets: {clicks: {bad: 1}}                                | dataset/properties
            clicks.measures.m.bad     | datasets: {clicks: {measures: {m: {bad: 1}}}} \
                                      | dataset/properties/measures/additionalProperties/properties
            clicks.scatter[0].bad     | datasets: {clicks: {scatter: [{bad: 1}]}}  | dataset/properties/scatter/items/properties
            clicks.where.a.bad        | datasets: {clicks: {where: {a: {bad: 1}}}}                  | condition/anyOf/2/properties
            events[0].bad             | datasets: {}, events: [{bad: 1}]                            | eventForm/properties
            events[0].time.bad        | datasets: {}, events: [{time: {bad: 1}}] | eventForm/properties/time/anyOf/1/properties
            events[0].attributes.x.bad | datasets: {}, events: [{attributes: {x: {bad: 1}}}] \
                                      | eventForm/properties/attributes/additionalProperties/anyOf/1/properties
            """)
    void everyFieldThatTheServicesKnowIsInTheSchema(String field, String declaration, String pointer) {
        // what the services' own error says that they expect beside an unknown field
        String message = assertThrows(InvalidDatasetsException.class,
                () -> DatasetsYaml.parse("test", "windrow: {" + declaration + "}")).getMessage();
        Matcher known = Pattern.compile(Pattern.quote(field) + ": expected only the fields ([a-z, -]+)").matcher(message);

        assertThat(known.find()).as(message).isTrue();
        assertThat(ValuesFileTest.SCHEMA.at("/$defs/" + pointer).fieldNames()).toIterable()
                .containsAll(List.of(known.group(1).split(", ", -1)));
    }

    @Test
    void everySettingArrivesExactly() throws IOException {
        String file = chart.shape("minimal").and("""
                writer:
                  config:
                    windrow.writer.source.max-messages: 20000000
                    windrow.writer.store.max-write-units: 0.25
                    windrow.writer.management.enabled: true
                    quarkus.log.category."dev.windrow".level: DEBUG
                    test.lines: "two\\nlines"
                    test.spaces: "  leading and trailing "
                    test.backslash: 'a\\b\\,c'
                    test.signs: '# ! = : ü €'
                    test.text: "007"
                    test.empty: ""
                """).manifests().one("ConfigMap", "windrow-writer").tree().at("/data/application.properties").asText();
        Properties properties = new Properties();
        properties.load(new StringReader(file));

        assertThat(properties).containsAllEntriesOf(Map.of("windrow.writer.source.max-messages", "20000000",
                "windrow.writer.store.max-write-units", "0.25", "windrow.writer.management.enabled", "true",
                "quarkus.log.category.\"dev.windrow\".level", "DEBUG", "test.lines", "two\nlines", "test.spaces",
                "  leading and trailing ", "test.backslash", "a\\b\\,c", "test.signs", "# ! = : ü €", "test.text", "007",
                "test.empty", ""));
    }

    private static String datasets(Manifests manifests) {
        return manifests.kind("ConfigMap").filter(candidate -> candidate.name().endsWith("-datasets")).findFirst()
                .orElseThrow().tree().path("data").path("datasets.yaml").asText();
    }
}
