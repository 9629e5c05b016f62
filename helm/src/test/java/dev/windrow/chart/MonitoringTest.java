package dev.windrow.chart;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;

import org.junit.jupiter.api.Test;

import com.fasterxml.jackson.databind.JsonNode;

import io.fabric8.openshift.api.model.monitoring.v1.PrometheusRule;
import io.fabric8.openshift.api.model.monitoring.v1.Rule;
import io.fabric8.openshift.api.model.monitoring.v1.ServiceMonitor;

/** Configuration for Prometheus and Grafana. That the metrics exist is tested where the services run. */
class MonitoringTest {

    private final Manifests full = new WindrowChart().shape("full").manifests();

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

    @Test
    void everyAlertOfThePromisesIsThere() {
        assertThat(rules()).extracting(Rule::getAlert).containsExactly("WindrowQueueOld", "WindrowDeadLetters",
                "WindrowThrottled", "WindrowFlowStuck", "WindrowWriterDown", "WindrowGatherErrors", "WindrowGatherSlow",
                "WindrowGatherDown");
    }

    @Test
    void everyAlertSaysWhatIsWrongHowBadItIsAndWhatToDo() throws Exception {
        String operations = Files.readString(Path.of("../docs/operations.md"));

        assertThat(rules()).allSatisfy(rule -> {
            assertThat(rule.getLabels().get("severity")).isIn("warning", "critical");
            assertThat(rule.getLabels()).containsEntry("team", "counting");
            assertThat(rule.getAnnotations().get("summary")).isNotBlank();
            assertThat(rule.getAnnotations()).containsEntry("runbook_url",
                    "https://example.com/windrow/operations.html#" + rule.getAlert().toLowerCase(Locale.ROOT));
            assertThat(operations).contains("\n### " + rule.getAlert() + "\n");
        });
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
        assertThat(dashboard.path("panels")).hasSize(10).allSatisfy(panel -> {
            assertThat(panel.path("title").asText()).isNotBlank();
            assertThat(panel.path("targets")).isNotEmpty();
        });
        assertThat(dashboard.path("panels").findValuesAsText("id")).doesNotHaveDuplicates();
    }

    private List<Rule> rules() {
        return full.one(PrometheusRule.class, "counting").getSpec().getGroups().stream()
                .flatMap(group -> group.getRules().stream()).toList();
    }
}
