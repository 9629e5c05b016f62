package dev.windrow.chart;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvFileSource;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Wrong values are refused before anything is installed, with the value's name. */
class RefusedValuesTest {

    private final WindrowChart chart = new WindrowChart();

    @ParameterizedTest
    @CsvFileSource(resources = "/refused-values.csv", delimiter = '|', quoteCharacter = '`', maxCharsPerColumn = 400)
    void valuesAreRefusedByName(String shape, String values, String message) {
        assertThatThrownBy(() -> chart.shape(shape).and(values).text()).hasMessageContaining(message);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            writer: {replicas: 64}
            writer: {config: {quarkus.sqs.endpoint-override: "http://sqs.internal"}}
            aws: {queue: aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa.fifo, deadLetterQueue: a.fifo}
            """)
    void theirNeighborsAreNot(String values) {
        assertThat(chart.shape("minimal").and(values).text()).isNotBlank();
    }

    static Stream<String> sections() {
        // a parent chart's globals are not all meant for this chart
        return ValuesFileTest.sections().keySet().stream().filter(section -> !section.equals("global."));
    }

    @ParameterizedTest
    @MethodSource("sections")
    void aMisspeltValueIsRefusedInEverySection(String section) {
        assertThatThrownBy(() -> chart.shape("minimal").with(section + "replcas", 1).text())
                .hasMessageContaining("replcas");
    }

    /** What Helm reads as a boolean would be counted under the name {@code true} or {@code false}. */
    @ParameterizedTest
    @ValueSource(strings = { "n", "y", "on", "off", "no", "yes", "true" })
    void namesThatYamlTakesForBooleansAreRefused(String word) throws Exception {
        String datasets = """
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
            Files.writeString(file, datasets.replace(place, word).replaceAll("[A-Z]{4,}", "name"));

            assertThatThrownBy(() -> chart.values(file).manifests()).as(place).hasMessageContaining("quote the name")
                    .hasMessageContaining("windrow.datasets.");
        }
    }
}
