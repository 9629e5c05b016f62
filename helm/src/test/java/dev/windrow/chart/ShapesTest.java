package dev.windrow.chart;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import com.fasterxml.jackson.databind.JsonNode;
import com.marcnuri.helm.LintResult;

/** What holds for every shape, whatever is in it. */
class ShapesTest {

    private static final String DNS_LABEL = "[a-z0-9]([-a-z0-9]*[a-z0-9])?";
    private static final String LABEL_VALUE = "([A-Za-z0-9]([-A-Za-z0-9_.]*[A-Za-z0-9])?)?";
    private static final Set<String> RECOMMENDED_LABELS = Set.of("app.kubernetes.io/name", "app.kubernetes.io/instance",
            "app.kubernetes.io/component", "app.kubernetes.io/version", "app.kubernetes.io/managed-by",
            "app.kubernetes.io/part-of", "helm.sh/chart");

    /** What the shape "platform" has in the namespace of its Prometheus and Grafana. */
    private static final Set<String> OF_MONITORING = Set.of("PodMonitor/windrow-counts-writer",
            "PodMonitor/windrow-counts-gather", "PrometheusRule/windrow-counts", "ConfigMap/windrow-counts-dashboard");

    private static final List<Shape> SHAPES = WindrowChart.ciFiles().stream()
            .map(file -> new Shape(file, new WindrowChart().values(file).manifests())).toList();

    static List<Shape> shapes() {
        return SHAPES;
    }

    /** A values file and what it renders. */
    record Shape(Path file, Manifests manifests) {
        @Override
        public String toString() {
            return file.getFileName().toString();
        }
    }

    @Test
    void lintFindsNothing() {
        List<String> complaints = new WindrowChart().lint().getMessages().stream()
                .filter(message -> !message.startsWith("[INFO] Chart.yaml: icon is recommended")).toList();

        assertThat(complaints).isEmpty();
    }

    @ParameterizedTest
    @MethodSource("shapes")
    void lintFindsNothingInAnyShape(Shape shape, @TempDir Path folder) throws Exception {
        LintResult lint = WindrowChart.withoutHooks().lintWith(shape.file(), folder);

        assertThat(lint.isFailed()).as("%s", lint.getMessages()).isFalse();
    }

    @Test
    void lintWithValuesFindsMistakes(@TempDir Path folder) throws Exception {
        Path values = Values.merged(WindrowChart.ci("minimal"), "writer: {replicas: many}");

        assertThat(WindrowChart.withoutHooks().lintWith(values, folder).isFailed()).isTrue();
    }

    @Test
    void lintFindsMistakes() {
        assertThat(new WindrowChart(Path.of("src/test/resources/broken-chart")).lint().isFailed()).isTrue();
    }

    @Test
    void theMainShapesAreRendered() {
        assertThat(WindrowChart.ciFiles()).extracting(file -> file.getFileName().toString()).contains(
                "trial-values.yaml", "minimal-values.yaml", "irsa-values.yaml", "full-values.yaml", "own-objects-values.yaml",
                "platform-values.yaml");
    }

    /** So each is rendered, and what becomes of it is checked strictly. */
    @Test
    void everyValueIsInTheFileOfAShape() {
        List<JsonNode> files = shapes().stream().map(shape -> ValuesTest.read("ci/" + shape.file().getFileName())).toList();

        assertThat(ValuesTable.documented(ValuesTest.text("values.yaml")).keySet()).allSatisfy(path -> {
            String pointer = "/" + path.replace('.', '/');
            assertThat(files).anyMatch(file -> !file.at(pointer).isMissingNode());
        });
    }

    @ParameterizedTest
    @MethodSource("shapes")
    void nothingIsRenderedTwice(Shape shape) {
        assertThat(shape.manifests().all()).extracting(Manifest::id).doesNotHaveDuplicates().isNotEmpty();
    }

    @ParameterizedTest
    @MethodSource("shapes")
    void namesAreDnsLabelsAndInTheReleasesNamespace(Shape shape) {
        assertThat(own(shape)).allSatisfy(manifest -> {
            assertThat(manifest.name()).matches(DNS_LABEL).hasSizeLessThanOrEqualTo(63);
            assertThat(manifest.namespace()).isEqualTo(OF_MONITORING.contains(manifest.id()) ? "monitoring" : "counting");
        });
    }

    @ParameterizedTest
    @MethodSource("shapes")
    void labelsAreCompleteAndValid(Shape shape) {
        assertThat(own(shape)).allSatisfy(manifest -> {
            assertThat(manifest.labels()).containsKeys(RECOMMENDED_LABELS.toArray(String[]::new));
            assertThat(manifest.labels().values()).allMatch(value -> value.matches(LABEL_VALUE) && value.length() <= 63);
        });
    }

    @ParameterizedTest
    @MethodSource("shapes")
    void aServicesSelectorFindsOneWorkloadAndItsPortsAreContainerPorts(Shape shape) {
        assertThat(shape.manifests().kind("Service")).isNotEmpty().allSatisfy(service -> {
            List<Manifest> selected = shape.manifests().selectedBy(service.tree().at("/spec/selector"));
            assertThat(selected).hasSize(1);
            Map<String, Integer> containerPorts = ports(selected.get(0));
            for (JsonNode port : service.tree().at("/spec/ports")) {
                assertThat(containerPorts).containsKey(port.path("targetPort").asText());
            }
        });
    }

    @ParameterizedTest
    @MethodSource("shapes")
    void aWorkloadsSelectorFindsItselfAlone(Shape shape) {
        assertThat(shape.manifests().kind("Deployment")).isNotEmpty().allSatisfy(deployment -> assertThat(
                shape.manifests().selectedBy(deployment.tree().at("/spec/selector/matchLabels"))).containsExactly(deployment));
    }

    @ParameterizedTest
    @MethodSource("shapes")
    void budgetsPoliciesAndSpreadsSelectOneWorkload(Shape shape) {
        List<JsonNode> selectors = Stream.of(
                shape.manifests().kind("PodDisruptionBudget").map(budget -> budget.tree().at("/spec/selector/matchLabels")),
                shape.manifests().kind("NetworkPolicy").map(policy -> policy.tree().at("/spec/podSelector/matchLabels")),
                shape.manifests().kind("Deployment").flatMap(deployment -> elements(
                        deployment.podSpec().path("topologySpreadConstraints")))
                        .map(spread -> spread.at("/labelSelector/matchLabels")))
                .flatMap(selector -> selector).toList();

        assertThat(selectors).allSatisfy(selector -> assertThat(shape.manifests().selectedBy(selector)).hasSize(1));
    }

    @ParameterizedTest
    @MethodSource("shapes")
    void probesAreOnPortsOfTheContainer(Shape shape) {
        assertThat(shape.manifests().kind("Deployment")).allSatisfy(deployment -> {
            JsonNode container = deployment.podSpec().at("/containers/0");
            for (String probe : List.of("startupProbe", "livenessProbe", "readinessProbe")) {
                JsonNode handler = container.path(probe).has("httpGet") ? container.path(probe).path("httpGet")
                        : container.path(probe).path("tcpSocket");
                assertThat(ports(deployment)).as(probe).containsKey(handler.path("port").asText());
            }
        });
    }

    @ParameterizedTest
    @MethodSource("shapes")
    void podsMayTakeFiveMinutesToStart(Shape shape) {
        assertThat(shape.manifests().kind("Deployment")).isNotEmpty().allSatisfy(ShapesTest::mayTakeFiveMinutesToStart);
    }

    /** As long as a JVM may take on a starved node. */
    static void mayTakeFiveMinutesToStart(Manifest deployment) {
        JsonNode probe = deployment.podSpec().at("/containers/0/startupProbe");
        assertThat(probe.path("periodSeconds").asInt() * probe.path("failureThreshold").asInt())
                .isGreaterThanOrEqualTo(300);
    }

    @ParameterizedTest
    @MethodSource("shapes")
    void writerAndGathererAreProbedOnTheManagementPort(Shape shape) {
        assertThat(shape.manifests().kind("Deployment").filter(deployment -> !deployment.name().endsWith("-local-aws")))
                .hasSize(2).allSatisfy(deployment -> {
                    JsonNode container = deployment.podSpec().at("/containers/0");
                    Map.of("startupProbe", "/q/health/started", "livenessProbe", "/q/health/live", "readinessProbe",
                            "/q/health/ready").forEach((probe, path) -> {
                                assertThat(container.path(probe).at("/httpGet/path").asText()).isEqualTo(path);
                                assertThat(container.path(probe).at("/httpGet/port").asText()).isEqualTo("management");
                            });
                });
    }

    @ParameterizedTest
    @MethodSource("shapes")
    void podsAreHardened(Shape shape) {
        assertThat(shape.manifests().withPods()).isNotEmpty().allSatisfy(ShapesTest::podIsHardened);
    }

    /** As the restricted Pod Security Standard requires, and a little more. */
    static void podIsHardened(Manifest manifest) {
        JsonNode pod = manifest.podSpec();
        assertThat(pod.at("/securityContext/runAsNonRoot").asBoolean()).isTrue();
        assertThat(pod.at("/securityContext/runAsUser").asInt()).isPositive();
        assertThat(pod.at("/securityContext/seccompProfile/type").asText()).isEqualTo("RuntimeDefault");
        assertThat(pod.path("automountServiceAccountToken").asBoolean(true)).isFalse();
        assertThat(pod.path("enableServiceLinks").asBoolean(true)).isFalse();
        assertThat(elements(pod.path("containers"))).isNotEmpty().allSatisfy(ShapesTest::containerIsHardened);
        assertThat(elements(pod.path("initContainers"))).allSatisfy(ShapesTest::containerIsHardened);
    }

    private static void containerIsHardened(JsonNode container) {
        // why it ended is seen without its log
        assertThat(container.path("terminationMessagePolicy").asText()).isEqualTo("FallbackToLogsOnError");
        JsonNode security = container.path("securityContext");
        assertThat(security.path("allowPrivilegeEscalation").asBoolean(true)).isFalse();
        assertThat(security.path("privileged").asBoolean(true)).isFalse();
        assertThat(security.path("readOnlyRootFilesystem").asBoolean()).isTrue();
        assertThat(security.at("/capabilities/drop/0").asText()).isEqualTo("ALL");
        assertThat(security.at("/capabilities").has("add")).isFalse();
        assertThat(Manifest.strings(container.at("/resources/requests"))).containsKeys("cpu", "memory");
        assertThat(container.at("/resources/limits").has("memory")).isTrue();
    }

    @ParameterizedTest
    @MethodSource("shapes")
    void everyMountHasItsVolumeAndEveryVolumeItsMount(Shape shape) {
        assertThat(shape.manifests().withPods()).allSatisfy(manifest -> assertThat(names(manifest.podSpec().path("volumes")))
                .isEqualTo(elements(manifest.podSpec().path("containers"))
                        .flatMap(container -> names(container.path("volumeMounts")).stream())
                        .collect(Collectors.toCollection(TreeSet::new))));
    }

    @ParameterizedTest
    @MethodSource("shapes")
    void everyEnvironmentVariableIsSetOnce(Shape shape) {
        assertThat(shape.manifests().withPods()).allSatisfy(manifest -> assertThat(
                elements(manifest.podSpec().at("/containers/0/env")).map(variable -> variable.path("name").asText()))
                .doesNotHaveDuplicates());
    }

    @ParameterizedTest
    @MethodSource("shapes")
    void whatPodsReferToIsRenderedOrNamedInTheValues(Shape shape) throws Exception {
        String values = Files.readString(shape.file());
        assertThat(shape.manifests().withPods()).allSatisfy(manifest -> {
            assertReference(shape, values, "ServiceAccount", manifest.podSpec().path("serviceAccountName").asText());
            elements(manifest.podSpec().path("volumes")).forEach(volume -> {
                reference(volume.at("/configMap/name")).forEach(name -> assertReference(shape, values, "ConfigMap", name));
                reference(volume.at("/secret/secretName")).forEach(name -> assertReference(shape, values, "Secret", name));
                reference(volume.at("/persistentVolumeClaim/claimName"))
                        .forEach(name -> assertReference(shape, values, "PersistentVolumeClaim", name));
            });
        });
    }

    private static void assertReference(Shape shape, String values, String kind, String name) {
        boolean known = shape.manifests().has(kind, name) || values.contains(": " + name)
                || (kind.equals("ServiceAccount") && name.equals("default") && values.contains("create: false"));
        assertThat(known).as("%s/%s", kind, name).isTrue();
    }

    private static Stream<String> reference(JsonNode name) {
        return name.isTextual() ? Stream.of(name.asText()) : Stream.empty();
    }

    private static Stream<Manifest> own(Shape shape) {
        return shape.manifests().all().stream().filter(manifest -> manifest.labels().containsKey("app.kubernetes.io/part-of")
                || !manifest.name().matches(".*-(extra|text)"));
    }

    static Stream<JsonNode> elements(JsonNode list) {
        return StreamSupport.stream(list.spliterator(), false);
    }

    private static Set<String> names(JsonNode list) {
        return elements(list).map(element -> element.path("name").asText()).collect(Collectors.toCollection(TreeSet::new));
    }

    static Map<String, Integer> ports(Manifest workload) {
        return elements(workload.podSpec().at("/containers/0/ports")).collect(
                Collectors.toMap(port -> port.path("name").asText(), port -> port.path("containerPort").asInt()));
    }
}
