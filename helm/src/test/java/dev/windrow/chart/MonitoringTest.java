package dev.windrow.chart;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

import com.fasterxml.jackson.databind.JsonNode;

import io.fabric8.openshift.api.model.monitoring.v1.PodMonitor;
import io.fabric8.openshift.api.model.monitoring.v1.PrometheusRule;
import io.fabric8.openshift.api.model.monitoring.v1.Rule;
import io.fabric8.openshift.api.model.monitoring.v1.ServiceMonitor;

/** Configuration for Prometheus and Grafana. That the metrics exist is tested where the services run. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class MonitoringTest {

    private final Manifests full = new WindrowChart().shape("full").manifests();
    private final Manifests platform = new WindrowChart().shape("platform").manifests();

    @Test
    void eachServiceMonitorSelectsAServiceWithItsPort() {
        for (String name : List.of("counting-writer", "counting-gather")) {
            ServiceMonitor monitor = full.one(ServiceMonitor.class, name);
            assertThat(monitor.getMetadata().getLabels()).containsEntry("release", "prometheus");
            assertThat(monitor.getSpec().getEndpoints()).hasSize(1).allSatisfy(endpoint -> {
                assertThat(endpoint.getPath()).isEqualTo("/q/metrics");
                List<Manifest> services = full.kind("Service")
                        .filter(service -> service.labels().entrySet()
                                .containsAll(monitor.getSpec().getSelector().getMatchLabels().entrySet()))
                        .filter(service -> service.tree().at("/spec/ports").findValuesAsText("name")
                                .contains(endpoint.getPort()))
                        .toList();
                assertThat(services).hasSize(1);
            });
        }
    }

    /** Alerts and dashboard select by service, which the operator sets for ServiceMonitors only. */
    @Test
    void eachPodMonitorSelectsPodsWithItsPortAndNamesTheServiceThatAServiceMonitorWould() {
        assertThat(platform.kind("ServiceMonitor")).isEmpty();
        Map.of("windrow-counts-writer", "windrow-counts-writer", "windrow-counts-gather", "windrow-counts-gather-management")
                .forEach((name, service) -> {
                    PodMonitor monitor = platform.one(PodMonitor.class, name);
                    assertThat(monitor.getMetadata().getNamespace()).isEqualTo("monitoring");
                    assertThat(monitor.getMetadata().getLabels()).containsEntry("release", "prometheus");
                    assertThat(monitor.getSpec().getNamespaceSelector().getMatchNames()).containsExactly("counting");
                    List<Manifest> pods = platform.selectedBy(platform.one("PodMonitor", name).tree()
                            .at("/spec/selector/matchLabels"));
                    assertThat(pods).extracting(Manifest::id).containsExactly("Deployment/" + name);
                    assertThat(monitor.getSpec().getPodMetricsEndpoints()).hasSize(1).allSatisfy(endpoint -> {
                        assertThat(ShapesTest.ports(pods.get(0))).containsKey(endpoint.getPort());
                        assertThat(endpoint.getPath()).isEqualTo("/q/metrics");
                        assertThat(endpoint.getInterval()).isEqualTo("15s");
                        assertThat(endpoint.getScrapeTimeout()).isEqualTo("10s");
                        assertThat(endpoint.getRelabelings()).hasSize(2)
                                .anyMatch(relabeling -> relabeling.getTargetLabel().equals("service")
                                        && relabeling.getReplacement().equals(service))
                                .anyMatch(relabeling -> relabeling.getTargetLabel().equals("cluster"));
                        assertThat(endpoint.getMetricRelabelings()).hasSize(1)
                                .allMatch(relabeling -> relabeling.getRegex().equals("jvm_.*"));
                    });
                    assertThat(platform.has("Service", service)).isTrue();
                });
    }

    @Test
    void aServiceMonitorTakesRelabelingsToo() {
        ServiceMonitor monitor = new WindrowChart().shape("platform").with("monitoring.podMonitor.enabled", false)
                .with("monitoring.serviceMonitor.enabled", true).manifests()
                .one(ServiceMonitor.class, "windrow-counts-gather");

        assertThat(monitor.getMetadata().getNamespace()).isEqualTo("monitoring");
        assertThat(monitor.getSpec().getNamespaceSelector().getMatchNames()).containsExactly("counting");
        assertThat(monitor.getSpec().getEndpoints()).hasSize(1).allSatisfy(endpoint -> {
            assertThat(endpoint.getScrapeTimeout()).isEqualTo("10s");
            assertThat(endpoint.getRelabelings()).hasSize(1)
                    .allMatch(relabeling -> relabeling.getTargetLabel().equals("cluster"));
            assertThat(endpoint.getMetricRelabelings()).hasSize(1);
        });
    }

    @Test
    void rulesAndDashboardMayBeInANamespaceOfTheirOwn() {
        assertThat(platform.one("PrometheusRule", "windrow-counts").namespace()).isEqualTo("monitoring");
        assertThat(platform.one("ConfigMap", "windrow-counts-dashboard").namespace()).isEqualTo("monitoring");
        assertThat(platform.one("PrometheusRule", "windrow-counts").tree().findValuesAsText("expr"))
                .allMatch(expression -> expression.contains("namespace=\"counting\""));
    }

    @Test
    void everyAlertOfThePromisesIsThere() {
        assertThat(rules()).extracting(Rule::getAlert).containsExactly("WindrowQueueOld", "WindrowDeadLetters",
                "WindrowDeadLettersWaiting", "WindrowThrottled", "WindrowFlowStuck", "WindrowLaneAbandoned",
                "WindrowBucketStuck", "WindrowWriterDown", "WindrowWriterNotReady",
                "WindrowGatherErrors", "WindrowIncompleteAnswers", "WindrowGatherSlow", "WindrowGatherDown",
                "WindrowGatherNotReady");
    }

    @Test
    void everyAlertSaysWhatIsWrongHowBadItIsAndWhatToDo() throws Exception {
        String operations = Files.readString(Path.of("../docs/operations.md"));

        assertThat(rules()).allSatisfy(rule -> {
            assertThat(rule.getLabels().get("severity")).isIn("warning", "critical");
            assertThat(rule.getLabels()).containsEntry("team", "counting");
            assertThat(rule.getLabels()).containsEntry("namespace", "counting");
            assertThat(rule.getAnnotations().get("summary")).isNotBlank();
            // what an expression aggregates away is not among the labels of its result
            assertThat(rule.getAnnotations().get("description")).contains("counting").doesNotContain("%", "$labels.namespace");
            assertThat(rule.getAnnotations()).containsEntry("runbook_url",
                    "https://example.com/windrow/operations.html#" + rule.getAlert().toLowerCase(Locale.ROOT));
            assertThat(operations).contains("\n### " + rule.getAlert() + "\n");
        });
    }

    /** Prometheus extrapolates increases: one dead letter may be 1.034 of them. */
    @Test
    void numbersOfThingsAreWholeInAlerts() {
        assertThat(rules()).filteredOn(rule -> rule.getAlert().startsWith("WindrowDeadLetters")).hasSize(2)
                .allSatisfy(rule -> assertThat(rule.getAnnotations().get("summary"))
                        .contains("{{ $value | printf \"%.0f\" }}").doesNotContain("humanize"));
    }

    /** These meters of the JVM's exist in no native executable. */
    @Test
    void alertsAndDashboardUseNoMeterThatNativeExecutablesLack() {
        assertThat(full.one("ConfigMap", "counting-dashboard").tree().toString() + rules())
                .contains("jvm_memory_used_bytes").doesNotContain("jvm_gc_", "jvm_buffer_");
    }

    @Test
    void alertsLookAtThisReleaseAlone() {
        assertThat(rules()).allSatisfy(rule -> assertThat(rule.getExpr().getStrVal())
                .containsPattern("namespace=\"counting\",service=\"counting-(writer|gather-management)\""));
        assertThat(List.of("counting-writer", "counting-gather-management"))
                .allSatisfy(service -> assertThat(full.has("Service", service)).isTrue());
    }

    @Test
    void thresholdsAreThoseOfTheValues() {
        PrometheusRule rule = new WindrowChart().shape("full").with("monitoring.prometheusRule.queueAgeSeconds", 1234)
                .with("monitoring.prometheusRule.latencySeconds", 77).manifests().one(PrometheusRule.class, "counting");

        assertThat(rule.toString()).contains("> 1234").contains("> 77");
    }

    @Test
    void aWriterThatMayBeScaledToNothingIsNotReportedAsDown() {
        PrometheusRule rule = new WindrowChart().shape("full").with("writer.keda.minReplicas", 0).manifests()
                .one(PrometheusRule.class, "counting");

        assertThat(rule.toString()).contains("WindrowGatherDown").doesNotContain("WindrowWriterDown");
    }

    @Test
    void theDashboardIsJsonForTheSidecar() throws Exception {
        Manifest map = full.one("ConfigMap", "counting-dashboard");

        assertThat(map.labels()).containsEntry("grafana_dashboard", "1");
        assertThat(map.annotations()).containsEntry("grafana_folder", "Windrow");
        JsonNode dashboard = StrictKubernetes.YAML.readTree(map.tree().path("data").path("counting.json").asText());
        assertThat(dashboard.path("title").asText()).isEqualTo("Windrow");
        assertThat(rows(dashboard)).containsExactly("Overview", "Writer", "Cost", "Gatherer", "Pods");
        assertThat(panels(dashboard)).hasSizeGreaterThan(30).allSatisfy(panel -> {
            assertThat(panel.path("title").asText()).isNotBlank();
            assertThat(panel.path("description").asText()).isNotBlank();
            assertThat(panel.at("/fieldConfig/defaults/unit").asText()).isNotBlank();
            assertThat(panel.path("targets")).isNotEmpty();
        });
        assertThat(dashboard.path("panels").findValuesAsText("id")).doesNotHaveDuplicates();
        assertThat(panels(dashboard)).extracting(panel -> panel.path("type").asText()).contains("heatmap", "stat",
                "timeseries");
    }

    @Test
    void panelsDoNotOverlap() {
        Set<String> taken = new TreeSet<>();
        for (JsonNode panel : DashboardExpressions.json(full.one("ConfigMap", "counting-dashboard")).path("panels")) {
            JsonNode at = panel.path("gridPos");
            assertThat(at.path("x").asInt() + at.path("w").asInt()).isLessThanOrEqualTo(24);
            for (int x = at.path("x").asInt(); x < at.path("x").asInt() + at.path("w").asInt(); x++) {
                for (int y = at.path("y").asInt(); y < at.path("y").asInt() + at.path("h").asInt(); y++) {
                    assertThat(taken.add(x + " " + y)).as("%s at %s", panel.path("title"), at).isTrue();
                }
            }
        }
    }

    /** Releases in one namespace, and namespaces with releases of one name, keep apart. */
    @Test
    void everyExpressionOfTheDashboardSelectsNamespaceAndRelease() {
        Map<String, String> expressions = new DashboardExpressions(full.one("ConfigMap", "counting-dashboard")).byPanel();

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
        JsonNode dashboard = DashboardExpressions.json(full.one("ConfigMap", "counting-dashboard"));

        assertThat(ShapesTest.elements(dashboard.at("/templating/list")).map(variable -> variable.path("name").asText()))
                .containsExactly("datasource", "namespace", "release", "dataset");
        assertThat(dashboard.path("panels").findValuesAsText("expr").stream()
                .filter(expression -> expression.contains("dataset=~\"$dataset\"")))
                .hasSize(5).allSatisfy(expression -> assertThat(expression).contains("sum by (dataset)"));
    }

    @Test
    void everyAlertHasAPanelThatLinksToItsRunbook() {
        List<String> links = DashboardExpressions.json(full.one("ConfigMap", "counting-dashboard")).findValuesAsText("url");

        assertThat(rules()).allSatisfy(rule -> assertThat(links).contains(rule.getAnnotations().get("runbook_url")));
        assertThat(DashboardExpressions.json(platform.one("ConfigMap", "windrow-counts-dashboard")).findValuesAsText("url"))
                .isEmpty();
    }

    private static List<String> rows(JsonNode dashboard) {
        return ShapesTest.elements(dashboard.path("panels")).filter(panel -> panel.path("type").asText().equals("row"))
                .map(panel -> panel.path("title").asText()).toList();
    }

    private static List<JsonNode> panels(JsonNode dashboard) {
        return ShapesTest.elements(dashboard.path("panels")).filter(panel -> !panel.path("type").asText().equals("row"))
                .toList();
    }

    private List<Rule> rules() {
        return full.one(PrometheusRule.class, "counting").getSpec().getGroups().stream()
                .flatMap(group -> group.getRules().stream()).toList();
    }
}
