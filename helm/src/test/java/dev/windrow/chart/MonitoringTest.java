package dev.windrow.chart;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

/** Alerts and dashboard. That the metrics exist is tested where the services run. */
class MonitoringTest {

    private static final Path CASES = Path.of("src/test/resources/alerts-test.yaml");

    private final Manifests full = new WindrowChart().shape("full").manifests();
    private final JsonNode spec = full.one("PrometheusRule", "counting").tree().path("spec");
    private final List<JsonNode> rules = spec.findValues("rules").stream().flatMap(Manifest::elements).toList();
    private final JsonNode dashboard = json(full.one("ConfigMap", "counting-dashboard"));

    @ParameterizedTest
    @CsvSource({ "full, alerts-test.yaml", "published-over-full, alerts-without-writer-test.yaml" })
    void alertsFireWhenTheyShouldAndOnlyThen(String shape, String cases) throws Exception {
        Optional<Tool> promtool = Tool.named("promtool");
        assumeTrue(promtool.isPresent(), "no promtool on the PATH: the alerts were not tried out");
        Path folder = Files.createDirectories(Path.of("target/alerts"));
        StrictKubernetes.YAML.writeValue(folder.resolve("rules.yaml").toFile(),
                new WindrowChart().shape(shape).manifests().one("PrometheusRule", "counting").tree().path("spec"));
        Files.copy(CASES.resolveSibling(cases), folder.resolve(cases), StandardCopyOption.REPLACE_EXISTING);

        assertThat(promtool.get().run(folder, "test", "rules", cases)).contains("SUCCESS");
    }

    @Test
    void everyAlertSaysWhatIsWrongHowBadItIsAndWhatToDoAndHasACaseInWhichItFires() {
        String operations = WindrowChart.text(Path.of("../docs/operations.md"));
        String cases = WindrowChart.text(CASES);

        assertThat(rules).hasSizeGreaterThan(10).allSatisfy(rule -> {
            String alert = rule.path("alert").asText();
            assertThat(cases).contains("alertname=\"" + alert + "\"");
            assertThat(operations).contains("\n### " + alert + "\n");
            assertThat(rule.at("/labels/severity").asText()).isIn("warning", "critical");
            assertThat(rule.at("/annotations/summary").asText()).isNotBlank();
            // what an expression aggregates away is not among the labels of its result
            assertThat(rule.at("/annotations/description").asText()).contains("counting").doesNotContain("%",
                    "$labels.namespace");
            String runbook = "https://example.com/windrow/operations.html#" + alert.toLowerCase(Locale.ROOT);
            assertThat(rule.at("/annotations/runbook_url").asText()).isEqualTo(runbook);
            assertThat(dashboard.findValuesAsText("url")).contains(runbook);
        });
    }

    /** These meters of the JVM's exist in no native executable. */
    @Test
    void alertsAndDashboardUseNoMeterThatNativeExecutablesLack() {
        assertThat(dashboard.toString() + rules).contains("jvm_memory_used_bytes").doesNotContain("jvm_gc_", "jvm_buffer_");
    }

    /** In whichever namespace the rules are. */
    @Test
    void alertsLookAtThisReleaseAlone() {
        assertThat(spec.findValuesAsText("expr")).allSatisfy(expression -> assertThat(expression)
                .containsPattern("namespace=\"counting\",service=\"counting-(writer|gather-management)\""));
        assertThat(full.ids()).contains("Service/counting-writer", "Service/counting-gather-management");
        assertThat(new WindrowChart().shape("platform").manifests().one("PrometheusRule", "windrow-counts").tree()
                .findValuesAsText("expr")).allMatch(expression -> expression.contains("namespace=\"counting\""));
    }

    /** It is left out of the golden files. */
    @Test
    void theDashboardIsTheFileWithLinksToRunbooksWhereTheyAreKnown() {
        JsonNode file = StrictKubernetes.tree(WindrowChart.text(WindrowChart.FOLDER.resolve("files/dashboard.json")));
        JsonNode withoutLinks = file.deepCopy();
        withoutLinks.path("panels").forEach(panel -> ((ObjectNode) panel).remove("links"));

        assertThat(dashboard).isEqualTo(StrictKubernetes.tree(file.toString().replace("\"operations.md#",
                "\"https://example.com/windrow/operations.html#")));
        assertThat(json(new WindrowChart().shape("platform").manifests()
                .one("ConfigMap", "windrow-counts-dashboard"))).isEqualTo(withoutLinks);
    }

    @Test
    void panelsAreDescribedAndDoNotOverlap() {
        Set<String> taken = new TreeSet<>();
        for (JsonNode panel : dashboard.path("panels")) {
            JsonNode at = panel.path("gridPos");
            assertThat(at.path("x").asInt() + at.path("w").asInt()).isLessThanOrEqualTo(24);
            for (int x = at.path("x").asInt(); x < at.path("x").asInt() + at.path("w").asInt(); x++) {
                for (int y = at.path("y").asInt(); y < at.path("y").asInt() + at.path("h").asInt(); y++) {
                    assertThat(taken.add(x + " " + y)).as("%s at %s", panel.path("title"), at).isTrue();
                }
            }
            assertThat(panel.path("title").asText()).isNotBlank();
            if (!panel.path("type").asText().equals("row")) {
                assertThat(panel.path("description").asText()).isNotBlank();
                assertThat(panel.at("/fieldConfig/defaults/unit").asText()).isNotBlank();
                assertThat(panel.path("targets")).isNotEmpty();
            }
        }
        assertThat(dashboard.path("panels").findValuesAsText("id")).hasSizeGreaterThan(30).doesNotHaveDuplicates();
    }

    /** Releases in one namespace, and namespaces with releases of one name, keep apart. */
    @Test
    void everyExpressionOfTheDashboardSelectsNamespaceAndRelease() {
        Map<String, String> expressions = expressions(full.one("ConfigMap", "counting-dashboard"));

        assertThat(expressions).hasSizeGreaterThan(40).allSatisfy((panel, expression) -> {
            int selectors = expression.split("\\{", -1).length - 1;
            assertThat(expression.split("namespace=\"counting\",service=(\"counting-|~\"counting-)", -1).length - 1)
                    .as(panel).isPositive().isEqualTo(selectors);
        });
        assertThat(expressions.values()).noneMatch(expression -> expression.contains("$"));
    }

    /** Each dataset by itself, wherever a metric says which one a number is about. */
    @Test
    void panelsSelectTheDatasetWhereTheirMetricsHaveOne() {
        assertThat(dashboard.at("/templating/list").findValuesAsText("name")).contains("datasource", "namespace", "release",
                "dataset");
        assertThat(dashboard.path("panels").findValuesAsText("expr").stream()
                .filter(expression -> expression.contains("dataset=~\"$dataset\"")))
                .hasSize(5).allSatisfy(expression -> assertThat(expression).contains("sum by (dataset)"));
    }

    private static JsonNode json(Manifest dashboard) {
        return StrictKubernetes.tree(dashboard.tree().path("data").elements().next().asText());
    }

    /** What the dashboard asks Prometheus, by panel, with its variables filled in. Also for tests with real metrics. */
    static Map<String, String> expressions(Manifest dashboard) {
        Map<String, String> byPanel = new LinkedHashMap<>();
        for (JsonNode panel : json(dashboard).path("panels")) {
            for (JsonNode target : panel.path("targets")) {
                String filledIn = target.path("expr").asText().replace("$namespace", dashboard.namespace())
                        .replace("${release}", dashboard.name().replaceFirst("-dashboard$", ""))
                        .replace("$__rate_interval", "5m").replace("$dataset", ".*");
                byPanel.put(panel.path("id").asText() + " " + panel.path("title").asText() + " "
                        + target.path("refId").asText(), filledIn);
            }
        }
        return byPanel;
    }
}
