package dev.windrow.chart;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.URI;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.FieldSource;

import com.fasterxml.jackson.databind.JsonNode;

import dev.windrow.dataset.DatasetsYaml;

/** What holds for everything that is rendered, whatever is in it. */
class RulesTest {

    private static final String DNS_LABEL = "[a-z0-9]([-a-z0-9]*[a-z0-9])?";
    private static final String LABEL_VALUE = "([A-Za-z0-9]([-A-Za-z0-9_.]*[A-Za-z0-9])?)?";
    private static final String[] RECOMMENDED_LABELS = { "app.kubernetes.io/name", "app.kubernetes.io/instance",
            "app.kubernetes.io/component", "app.kubernetes.io/version", "app.kubernetes.io/managed-by",
            "app.kubernetes.io/part-of", "helm.sh/chart" };

    /** Pods of the vendors' own images, which are not ours to harden. */
    private static final String VENDORS_PODS = "windrow-(dynamodb|sqs)";
    /** 53 characters, the maximum of Helm. */
    private static final String MAX_NAME = "a2345678901234567890123456789012345678901234567890123";
    /** A Secret that the installer of the production overlay creates. */
    private static final String K8S_SECRET = "name: windrow-api-keys";
    private static final Pattern OBJECT = Pattern.compile("\\b(deployment|service)/([a-z0-9-]+)");

    static final List<Rendered> OF_CHART = WindrowChart.shapes().stream()
            .map(shape -> new Rendered(shape, new WindrowChart().shape(shape).manifests())).toList();
    static final List<Rendered> MAIN_SHAPES = OF_CHART.stream()
            .filter(rendered -> !rendered.name().contains("-over-")).toList();
    static final List<Rendered> ALL = Stream.concat(OF_CHART.stream(), Stream.of("local", "vendors", "production")
            .map(overlay -> new Rendered("k8s/" + overlay, Manifests.of(Kustomization.overlay(overlay))))).toList();

    record Rendered(String name, Manifests manifests) {
        @Override
        public String toString() {
            return name;
        }
    }

    @ParameterizedTest
    @FieldSource("MAIN_SHAPES")
    void lintFindsNothing(Rendered rendered, @TempDir Path folder) throws Exception {
        assertThat(WindrowChart.withoutHooks().lintWith(new WindrowChart().shape(rendered.name()), folder).getMessages())
                .allMatch(message -> message.startsWith("[INFO] Chart.yaml: icon is recommended"));
    }

    @Test
    void lintFindsMistakes(@TempDir Path folder) throws Exception {
        WindrowChart.Rendering mistake = new WindrowChart().shape("minimal").and("writer: {replicas: many}");

        assertThat(WindrowChart.withoutHooks().lintWith(mistake, folder).isFailed()).isTrue();
        assertThat(new WindrowChart(Path.of("src/test/resources/broken-chart")).lint().isFailed()).isTrue();
    }

    /** The other tests would be worth nothing if the parser let mistakes pass. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            apps/v1, kind: Deployment, spec: {template: {spec: {containers: [{name: c, imagePulPolicy: Always}]}}} | imagePulPolicy
            keda.sh/v1alpha1, kind: ScaledObject, spec: {minReplicaCount: 1, maxReplicaCount: 1, pollingInterval: 1, cooldownPeriod: 1, minReplicas: 1} | minReplicas
            apps/v1, kind: Deployment, spec: {replicas: many}                                                      | replicas
            v1, kind: ConfigMap, metadata: {name: a, name: b}                                                      | name
            extensions/v1beta1, kind: Deployment                                      | extensions/v1beta1 Deployment
            """)
    void theParserRefusesMistakesByName(String document, String name) {
        assertThatThrownBy(() -> Manifests.parse("{apiVersion: " + document + "}")).hasMessageContaining(name);
    }

    @ParameterizedTest
    @FieldSource("ALL")
    void nothingIsRenderedTwice(Rendered rendered) {
        assertThat(rendered.manifests().all()).extracting(Manifest::id).doesNotHaveDuplicates().isNotEmpty();
    }

    @ParameterizedTest
    @FieldSource("OF_CHART")
    void namesAreDnsLabelsAndLabelsCompleteAndValid(Rendered rendered) {
        assertThat(own(rendered.manifests())).isNotEmpty().allSatisfy(manifest -> {
            nameFits(manifest);
            assertThat(manifest.namespace()).isIn("counting", "monitoring");
            assertThat(manifest.labels()).containsKeys(RECOMMENDED_LABELS);
            assertThat(manifest.labels().values()).allMatch(value -> value.matches(LABEL_VALUE) && value.length() <= 63);
            if (rendered.name().startsWith("published")) {
                assertThat(manifest.annotations()).containsKey("example.com/owner"); // of commonAnnotations
            }
            if (manifest.kind().equals("Deployment")) {
                // Kubernetes refuses to change it: an upgrade with another one would fail on every cluster
                assertThat(Manifest.strings(manifest.tree().at("/spec/selector/matchLabels"))).containsOnlyKeys(
                        "app.kubernetes.io/name", "app.kubernetes.io/instance", "app.kubernetes.io/component");
            }
        });
    }

    @ParameterizedTest
    @FieldSource("ALL")
    void aServicesSelectorFindsOneWorkloadAndItsPortsAreContainerPorts(Rendered rendered) {
        assertThat(rendered.manifests().kind("Service")).isNotEmpty().allSatisfy(service -> {
            List<Manifest> selected = rendered.manifests().selectedBy(service.tree().at("/spec/selector"));
            assertThat(selected).hasSize(1);
            assertThat(service.tree().at("/spec/ports")).isNotEmpty()
                    .allSatisfy(port -> assertIsPortOf(selected.get(0), port.path("targetPort")));
        });
    }

    private static void assertIsPortOf(Manifest workload, JsonNode port) {
        Map<String, Integer> ports = workload.ports();
        assertThat(ports.containsKey(port.asText()) || ports.containsValue(port.asInt(-1))).as("%s of %s", port, ports)
                .isTrue();
    }

    /** Health, metrics and the writer are for the cluster alone, however the API is exposed. */
    @ParameterizedTest
    @FieldSource("ALL")
    void onlyTheApiIsExposed(Rendered rendered) {
        assertThat(rendered.manifests().kind("Service")).allSatisfy(service -> {
            if (!service.tree().at("/spec/type").asText("ClusterIP").equals("ClusterIP")) {
                assertThat(service.tree().at("/spec/ports").findValuesAsText("name")).containsExactly("http");
                assertThat(service.name()).endsWith("-gather");
            }
        });
        Stream<JsonNode> backends = Stream.concat(
                rendered.manifests().kind("Ingress").flatMap(ingress -> ingress.tree().findValues("service").stream()),
                rendered.manifests().kind("HTTPRoute").flatMap(route -> route.tree().findValues("backendRefs").stream())
                        .map(references -> references.path(0)));
        assertThat(backends).allSatisfy(backend -> {
            JsonNode port = rendered.manifests().one("Service", backend.path("name").asText()).tree().at("/spec/ports/0");
            assertThat(port.path("name").asText()).isEqualTo("http");
            assertThat(backend.path("port")).isIn(port.path("port"), StrictKubernetes.tree("{name: http}"));
        });
    }

    @ParameterizedTest
    @FieldSource("ALL")
    void selectorsOfWorkloadsBudgetsAndPoliciesFindOneWorkload(Rendered rendered) {
        Manifests manifests = rendered.manifests();
        assertThat(manifests.kind("Deployment")).isNotEmpty().allSatisfy(deployment -> {
            assertThat(manifests.selectedBy(deployment.tree().at("/spec/selector/matchLabels"))).containsExactly(deployment);
            assertThat(deployment.podSpec().path("topologySpreadConstraints")).allSatisfy(spread -> assertThat(
                    manifests.selectedBy(spread.at("/labelSelector/matchLabels"))).containsExactly(deployment));
        });
        assertThat(manifests.kind("PodDisruptionBudget")).allSatisfy(
                budget -> assertThat(manifests.selectedBy(budget.tree().at("/spec/selector/matchLabels"))).hasSize(1));
        assertThat(manifests.kind("NetworkPolicy")).allSatisfy(policy -> {
            List<Manifest> selected = manifests.selectedBy(policy.tree().at("/spec/podSelector/matchLabels"));
            assertThat(selected).hasSize(1);
            assertThat(policy.tree().at("/spec/ingress").findValues("port"))
                    .allSatisfy(port -> assertIsPortOf(selected.get(0), port));
        });
    }

    /** A Deployment whose replicas were rendered would be set back by each upgrade. */
    @ParameterizedTest
    @FieldSource("ALL")
    void replicasAreLeftToTheScalersThatOwnThem(Rendered rendered) {
        Stream.of("HorizontalPodAutoscaler", "ScaledObject").flatMap(rendered.manifests()::kind).forEach(scaler -> {
            String name = scaler.tree().at("/spec/scaleTargetRef/name").asText();
            assertThat(rendered.manifests().one("Deployment", name).tree().path("spec").has("replicas")).isFalse();
        });
    }

    /** A rule about objects that nothing renders would hold for anything. */
    @Test
    void whatOnlySomeShapesRenderIsInOneAtLeast() {
        assertThat(ALL.stream().flatMap(rendered -> rendered.manifests().all().stream()).map(Manifest::kind)).contains(
                "Ingress", "HTTPRoute", "PodDisruptionBudget", "NetworkPolicy", "HorizontalPodAutoscaler", "ScaledObject",
                "ServiceMonitor", "PodMonitor");
        assertThat(ALL.stream().flatMap(RulesTest::datasets)).isNotEmpty();
        assertThat(ALL.stream().flatMap(RulesTest::endpointsInTheCluster)).isNotEmpty();
    }

    @ParameterizedTest
    @FieldSource("OF_CHART")
    void monitorsFindOnePortOfOneServiceOrPod(Rendered rendered) {
        Manifests manifests = rendered.manifests();
        assertThat(manifests.kind("ServiceMonitor")).allSatisfy(monitor -> {
            Map<String, String> wanted = Manifest.strings(monitor.tree().at("/spec/selector/matchLabels"));
            assertThat(manifests.kind("Service")
                    .filter(service -> service.labels().entrySet().containsAll(wanted.entrySet()))
                    .filter(service -> service.tree().at("/spec/ports").findValuesAsText("name")
                            .contains(monitor.tree().at("/spec/endpoints/0/port").asText())))
                    .hasSize(1);
        });
        assertThat(manifests.kind("PodMonitor")).allSatisfy(monitor -> {
            List<Manifest> pods = manifests.selectedBy(monitor.tree().at("/spec/selector/matchLabels"));
            assertThat(pods).hasSize(1);
            assertIsPortOf(pods.get(0), monitor.tree().at("/spec/podMetricsEndpoints/0/port"));
        });
    }

    /** Five minutes are as long as a JVM may take on a starved node. */
    @ParameterizedTest
    @FieldSource("ALL")
    void probesAreOnPortsOfTheContainerAndLetItTakeFiveMinutesToStart(Rendered rendered) {
        assertThat(rendered.manifests().kind("Deployment").filter(deployment -> !deployment.name().matches(VENDORS_PODS)))
                .hasSizeGreaterThanOrEqualTo(2).allSatisfy(deployment -> {
                    JsonNode container = deployment.podSpec().at("/containers/0");
                    Stream.of("startupProbe", "livenessProbe", "readinessProbe").map(container::path)
                            .flatMap(probe -> probe.findValues("port").stream())
                            .forEach(port -> assertIsPortOf(deployment, port));
                    JsonNode startup = container.path("startupProbe");
                    assertThat(startup.path("periodSeconds").asInt() * startup.path("failureThreshold").asInt())
                            .isGreaterThanOrEqualTo(300);
                });
    }

    /** As the restricted Pod Security Standard requires, and a little more. */
    @ParameterizedTest
    @FieldSource("ALL")
    void podsAreHardened(Rendered rendered) {
        assertThat(rendered.manifests().withPods()).isNotEmpty().allSatisfy(manifest -> {
            JsonNode pod = manifest.podSpec();
            JsonNode first = pod.at("/containers/0/securityContext");
            assertThat(first.path("allowPrivilegeEscalation").asBoolean(true)).isFalse();
            assertThat(first.at("/capabilities/drop/0").asText()).isEqualTo("ALL");
            if (manifest.name().matches(VENDORS_PODS)) {
                return;
            }
            assertThat(pod.at("/securityContext/runAsNonRoot").asBoolean()).isTrue();
            assertThat(pod.at("/securityContext/runAsUser").asInt()).isPositive();
            assertThat(pod.at("/securityContext/seccompProfile/type").asText()).isEqualTo("RuntimeDefault");
            assertThat(pod.path("automountServiceAccountToken").asBoolean(true)).isFalse();
            assertThat(pod.path("enableServiceLinks").asBoolean(true)).isFalse();
            assertThat(Stream.of("containers", "initContainers").map(pod::path).flatMap(Manifest::elements)).isNotEmpty()
                    .allSatisfy(RulesTest::containerIsHardened);
        });
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
    @FieldSource("OF_CHART")
    void everyMountHasItsVolumeAndEveryVolumeItsMountAndEveryVariableIsSetOnce(Rendered rendered) {
        assertThat(rendered.manifests().withPods()).allSatisfy(manifest -> {
            JsonNode containers = manifest.podSpec().path("containers");
            assertThat(names(manifest.podSpec().path("volumes"))).hasSameElementsAs(Manifest.elements(containers)
                    .flatMap(container -> names(container.path("volumeMounts")).stream()).toList());
            assertThat(names(containers.at("/0/env"))).doesNotHaveDuplicates();
        });
    }

    private static List<String> names(JsonNode list) {
        return Manifest.elements(list).map(element -> element.path("name").asText()).toList();
    }

    @ParameterizedTest
    @FieldSource("ALL")
    void whatPodsReferToIsRenderedOrNamedInTheValues(Rendered rendered) {
        String values = WindrowChart.shapes().contains(rendered.name())
                ? WindrowChart.text(new WindrowChart().shape(rendered.name()).values)
                : K8S_SECRET;
        assertThat(rendered.manifests().withPods()).allSatisfy(manifest -> {
            Set<String> references = new TreeSet<>();
            references.add("ServiceAccount/" + manifest.podSpec().path("serviceAccountName").asText());
            manifest.podSpec().path("volumes").forEach(volume -> Map.of("ConfigMap", "/configMap/name", "Secret",
                    "/secret/secretName", "PersistentVolumeClaim", "/persistentVolumeClaim/claimName")
                    .forEach((kind, name) -> references.add(kind + "/" + volume.at(name).asText())));
            references.removeIf(reference -> reference.endsWith("/") || rendered.manifests().ids().contains(reference)
                    || values.matches("(?s).*: \"?" + reference.substring(reference.indexOf('/') + 1) + "\\b.*")
                    || (reference.equals("ServiceAccount/default") && values.contains("create: false")));
            assertThat(references).isEmpty();
        });
    }

    @ParameterizedTest
    @FieldSource("ALL")
    void theServicesCanReadTheDatasets(Rendered rendered) {
        assertThat(datasets(rendered))
                .allSatisfy(file -> assertThat(DatasetsYaml.parse(rendered.name(), file.asText()).all()).isNotEmpty());
    }

    private static Stream<JsonNode> datasets(Rendered rendered) {
        return rendered.manifests().kind("ConfigMap").map(map -> map.tree().at("/data/datasets.yaml"))
                .filter(JsonNode::isTextual);
    }

    @ParameterizedTest
    @FieldSource("ALL")
    void endpointsInTheClusterAreServicesWhosePodsListenThere(Rendered rendered) {
        assertThat(endpointsInTheCluster(rendered)).allSatisfy(endpoint -> {
            Manifest service = rendered.manifests().one("Service", endpoint.getHost());
            assertThat(service.tree().at("/spec/ports").findValuesAsText("port")).contains("" + endpoint.getPort());
            assertThat(rendered.manifests().selectedBy(service.tree().at("/spec/selector")).get(0).ports())
                    .containsValue(endpoint.getPort());
        });
    }

    private static Stream<URI> endpointsInTheCluster(Rendered rendered) {
        return rendered.manifests().withPods().flatMap(workload -> workload.environment().entrySet().stream())
                .filter(variable -> variable.getKey().endsWith("_ENDPOINT_OVERRIDE"))
                .map(variable -> URI.create(variable.getValue())).filter(endpoint -> endpoint.getScheme().equals("http"));
    }

    @ParameterizedTest
    @FieldSource("OF_CHART")
    void notesNameObjectsThatThereAreAndPoliciesAllowTheLeast(Rendered rendered) {
        String notes = new WindrowChart().shape(rendered.name()).notes();
        Stream<String> named = OBJECT.matcher(notes).results()
                .map(object -> (object.group(1).equals("service") ? "Service/" : "Deployment/") + object.group(2));

        assertThat(named).hasSizeGreaterThanOrEqualTo(2).isSubsetOf(rendered.manifests().ids());
        // each ranked measure has an index of its own, and measures are declared in the datasets
        assertThat(notes.replace("/index/rank-*", "")).doesNotContain("*");
    }

    @Test
    void helmTakesJobAndTestForHooks() {
        assertThat(WindrowChart.withoutHooks().shape("irsa").manifests().ids()).contains("Deployment/windrow-writer")
                .doesNotContain("Job/windrow-provision", "ServiceAccount/windrow-provision", "Pod/windrow-test",
                        "ServiceAccount/windrow-test");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            windrow: {datasets: {clicks: {key-shards: 2}}}  | gather writer
            writer: {config: {quarkus.log.level: DEBUG}}    | writer
            gather: {replicas: 5}                           |
            """)
    void aChangeOfSettingsStartsThePodsThatReadThem(String values, String changed) {
        Manifests before = new WindrowChart().shape("minimal").manifests();
        Manifests after = new WindrowChart().shape("minimal").and(values).manifests();

        assertThat(Stream.of("gather", "writer").filter(service -> !before.one("Deployment", "windrow-" + service)
                .podTemplate().equals(after.one("Deployment", "windrow-" + service).podTemplate()))
                .collect(Collectors.joining(" "))).isEqualTo(changed == null ? "" : changed);
    }

    /** There is no shell in the images, so it takes a kubelet that can wait by itself. */
    @Test
    void theGathererGoesOnWhileLoadBalancersLearnWhereTheKubeletCanWait() {
        JsonNode pod = new WindrowChart().shape("minimal").on("1.28.0").manifests().one("Deployment", "windrow-gather")
                .podSpec();

        assertThat(pod.at("/containers/0").has("lifecycle")).isFalse();
        assertThat(pod.path("terminationGracePeriodSeconds").asInt()).isEqualTo(45);
    }

    @ParameterizedTest
    @CsvSource({
            "blue, green", "windrow, blue", "blue, blue-windrow", "windrow, windrow-windrow", "windrow, windrow-gather",
            "a-very-long-name-of-a-release-whose-end-tells-one, a-very-long-name-of-a-release-whose-end-tells-two",
            "a, " + MAX_NAME })
    void twoReleasesInANamespaceShareNoObjectAndTheirNamesFit(String first, String second) {
        Manifests one = full(first);
        Manifests other = full(second);

        assertThat(Stream.of(one, other).flatMap(RulesTest::own)).allSatisfy(RulesTest::nameFits);
        assertThat(one.ids()).isNotEmpty().doesNotContainAnyElementsOf(other.ids());
        assertThat(one.kind("Service")).isNotEmpty()
                .allSatisfy(service -> assertThat(other.selectedBy(service.tree().at("/spec/selector"))).isEmpty());
    }

    private static void nameFits(Manifest manifest) {
        assertThat(manifest.name()).matches(DNS_LABEL).hasSizeLessThanOrEqualTo(63);
    }

    private static Manifests full(String release) {
        return new WindrowChart().shape("full").as(release, "counting").with("fullnameOverride", "").manifests();
    }

    /** Those of the chart, without the objects that the values bring along. */
    private static Stream<Manifest> own(Manifests manifests) {
        return manifests.all().stream().filter(manifest -> manifest.labels().containsKey("app.kubernetes.io/part-of")
                || !manifest.name().matches(".*-(extra|text)"));
    }
}
