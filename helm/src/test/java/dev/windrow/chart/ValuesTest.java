package dev.windrow.chart;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.IOException;
import java.io.StringReader;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.TreeMap;
import java.util.random.RandomGenerator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvFileSource;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

import com.fasterxml.jackson.databind.JsonNode;

import dev.windrow.dataset.Datasets;
import dev.windrow.dataset.DatasetsYaml;
import dev.windrow.dataset.InvalidDatasetsException;
import dev.windrow.testing.Seeds;

/** Values arrive in the services as they are given, those of the operations page too; wrong ones are refused by name. */
class ValuesTest {

    private final WindrowChart chart = new WindrowChart();

    @Test
    void aDatasetFileIsAValuesFileAndArrivesUnchanged() {
        Path file = Path.of("../quickstart/datasets.yaml");

        assertThat(StrictKubernetes.tree(datasets(chart.values(file).with("localAws.enabled", true).manifests())))
                .isEqualTo(StrictKubernetes.tree(WindrowChart.text(file)));
    }

    /** Without quotes they are refused. */
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
            events[0].time.zone.bad | datasets: {}, events: [{time: {zone: {bad: 1}}}] \
                                      | eventForm/properties/time/anyOf/1/properties/zone/anyOf/1/properties
            events[0].attributes.x.bad | datasets: {}, events: [{attributes: {x: {bad: 1}}}] \
                                      | eventForm/properties/attributes/additionalProperties/anyOf/1/properties
            """)
    void everyFieldThatTheServicesKnowIsInTheSchema(String field, String declaration, String pointer) {
        // what the services' own error says that they expect beside an unknown field
        String message = assertThrows(InvalidDatasetsException.class,
                () -> DatasetsYaml.parse("test", "windrow: {" + declaration + "}")).getMessage();
        Matcher known = Pattern.compile(Pattern.quote(field) + ": unknown field: the known ones are ([a-z, -]+)")
                .matcher(message);

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

    /** As far as they can be written without quotes; more digits are refused without. */
    @Test
    void numbersOfConditionsArriveAsWritten() {
        RandomGenerator random = Seeds.random("chart-numbers");
        Map<String, BigDecimal> written = new TreeMap<>();
        StringBuilder where = new StringBuilder();
        for (int i = 0; i < 200; i++) {
            int digits = 1 + random.nextInt(i % 2 == 0 ? 15 : 38);
            BigInteger unscaled = new BigInteger(IntStream.range(0, digits).mapToObj(j -> "" + (1 + random.nextInt(9)))
                    .collect(Collectors.joining()));
            BigDecimal number = new BigDecimal(random.nextBoolean() ? unscaled : unscaled.negate(), random.nextInt(20));
            String text = random.nextBoolean() ? number.toString() : number.toPlainString();
            written.put("a" + i, number);
            where.append("\n        a%d: {%s: %s}".formatted(i, random.nextBoolean() ? "from" : "below",
                    digits > 15 || random.nextInt(3) == 0 ? "\"" + text + "\"" : text));
        }

        Datasets datasets = DatasetsYaml.parse("chart", datasets(chart.shape("trial").and("""
                windrow:
                  datasets:
                    clicks:
                      event-type: click
                      label: [page]
                      granularities: [hour]
                      measures: {events: {type: count}}
                      where:""" + where + "\n").manifests()));

        Map<String, BigDecimal> read = new TreeMap<>();
        datasets.named("clicks").orElseThrow().where().forEach((attribute, condition) -> read.put(attribute,
                condition.from() == null ? condition.below() : condition.from()));
        assertThat(read).usingComparatorForType(BigDecimal::compareTo, BigDecimal.class).usingRecursiveComparison()
                .isEqualTo(written);
    }

    private static String datasets(Manifests manifests) {
        return manifests.kind("ConfigMap").filter(candidate -> candidate.name().endsWith("-datasets")).findFirst()
                .orElseThrow().tree().path("data").path("datasets.yaml").asText();
    }

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

    private static final Pattern API_KEYS = Pattern.compile("secret generic windrow-api-keys --from-file=(\\S+)");
    private static final Pattern OIDC = Pattern.compile("```yaml\\n( *gather:\\n *authentication:\\n.*?)```", Pattern.DOTALL);
    private static final Pattern DRILL = Pattern.compile("```yaml\\n( *# drill\\.yaml\\n.*?)```", Pattern.DOTALL);

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
