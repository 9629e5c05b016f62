package dev.windrow.chart;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

import com.fasterxml.jackson.databind.JsonNode;

/** Values that become a field of an object as they are. */
class PassedThroughTest {

    private final WindrowChart chart = new WindrowChart();

    /** Where pods of a component are rendered. */
    private enum Component {
        WRITER("writer", "minimal", "Deployment/windrow-writer", "/spec/template/spec"),
        GATHER("gather", "minimal", "Deployment/windrow-gather", "/spec/template/spec"),
        PROVISION("provision", "irsa", "Job/windrow-provision", "/spec/template/spec"),
        LOCAL_AWS("localAws", "trial", "Deployment/windrow-local-aws", "/spec/template/spec"),
        TEST("tests", "minimal", "Pod/windrow-test", "/spec");

        final String section;
        final String shape;
        final String id;
        final String pod;

        Component(String section, String shape, String id, String pod) {
            this.section = section;
            this.shape = shape;
            this.id = id;
            this.pod = pod;
        }
    }

    private static Map<String, String> podFields() {
        Map<String, String> fields = new LinkedHashMap<>();
        fields.put("runtimeClassName", "gvisor");
        fields.put("hostUsers", "false");
        fields.put("hostAliases", "[{ip: 192.0.2.10, hostnames: [sqs.internal]}]");
        fields.put("dnsPolicy", "None");
        fields.put("dnsConfig", "{nameservers: [192.0.2.53], searches: [internal], options: [{name: ndots, value: '2'}]}");
        fields.put("nodeSelector", "{kubernetes.io/arch: arm64}");
        fields.put("tolerations", "[{key: dedicated, operator: Exists}]");
        fields.put("affinity", "{podAntiAffinity: {preferredDuringSchedulingIgnoredDuringExecution: []}}");
        fields.put("priorityClassName", "important");
        return fields;
    }

    @ParameterizedTest
    @EnumSource
    void everyComponentsPodsTakeTheFieldsFromItsValues(Component component) throws Exception {
        Map<String, String> fields = podFields();
        String yaml = component.section + ":\n"
                + fields.entrySet().stream().map(field -> "  " + field.getKey() + ": " + field.getValue() + "\n")
                        .collect(Collectors.joining());

        Manifests manifests = chart.shape(component.shape).and(yaml).manifests();

        for (Map.Entry<String, String> field : fields.entrySet()) {
            JsonNode value = StrictKubernetes.YAML.readTree(field.getValue());
            assertThat(at(manifests, component.id, component.pod + "/" + field.getKey())).as(field.getKey()).isEqualTo(value);
            // and nobody else's pods
            assertThat(manifests.withPods().filter(manifest -> !manifest.id().equals(component.id)))
                    .noneMatch(manifest -> manifest.podSpec().path(field.getKey()).equals(value));
        }
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            deploymentAnnotations: {a: b}                     | /metadata/annotations/a                | b
            strategy: {rollingUpdate: {maxSurge: 50%}}        | /spec/strategy/rollingUpdate/maxSurge  | 50%
            strategy: {type: Recreate}                        | /spec/strategy                         | {type: Recreate}
            podAnnotations: {a: b}                            | /spec/template/metadata/annotations/a  | b
            podLabels: {a: b}                                 | /spec/template/metadata/labels/a       | b
            extraContainers: [{name: a, image: b}]            | POD/containers/1                       | {name: a, image: b}
            extraInitContainers: [{name: a, image: b}]        | POD/initContainers                     | [{name: a, image: b}]
            lifecycleHooks: {postStart: {sleep: {seconds: 1}}} | CONTAINER/lifecycle/postStart         | {sleep: {seconds: 1}}
            lifecycleHooks: {preStop: {sleep: {seconds: 9}}}  | CONTAINER/lifecycle/preStop            | {sleep: {seconds: 9}}
            lifecycleHooks: {preStop: {exec: {command: [a]}}} | CONTAINER/lifecycle/preStop            | {exec: {command: [a]}}
            startupProbe: {failureThreshold: 600}             | CONTAINER/startupProbe/failureThreshold | 600
            livenessProbe: {timeoutSeconds: 9}                | CONTAINER/livenessProbe/timeoutSeconds | 9
            readinessProbe: {httpGet: {scheme: HTTPS}}        | CONTAINER/readinessProbe/httpGet       | {path: /q/health/ready, port: management, scheme: HTTPS}
            livenessProbe: {httpGet: null, tcpSocket: {port: http}} | CONTAINER/livenessProbe          | {tcpSocket: {port: http}, periodSeconds: 10, timeoutSeconds: 3, failureThreshold: 3}
            livenessProbe: null                               | CONTAINER/livenessProbe                |
            """)
    void bothServicesTakeItFromTheirValues(String yaml, String pointer, String expected) throws Exception {
        for (String service : new String[] { "writer", "gather" }) {
            Manifests manifests = chart.shape("minimal").and("%s: {%s}".formatted(service, yaml)).manifests();

            String where = pointer.replace("CONTAINER", "POD/containers/0").replace("POD", "/spec/template/spec");
            JsonNode found = at(manifests, "Deployment/windrow-" + service, where);
            if (expected == null) {
                assertThat(found.isMissingNode()).isTrue();
            } else {
                assertThat(found).isEqualTo(StrictKubernetes.YAML.readTree(expected));
            }
        }
    }

    /** What a proxy or a certificate authority of one's own needs. */
    @Test
    void everyComponentThatReachesAwsTakesVariablesAndVolumesFromItsValues() throws Exception {
        for (Component component : List.of(Component.WRITER, Component.GATHER, Component.PROVISION, Component.TEST)) {
            Manifests manifests = chart.shape(component.shape).and("""
                    %s:
                      extraEnv: [{name: AWS_CA_BUNDLE, value: /etc/ca/ca.pem}]
                      extraVolumes: [{name: ca, configMap: {name: team-ca}}]
                      extraVolumeMounts: [{name: ca, mountPath: /etc/ca}]
                    """.formatted(component.section)).manifests();

            JsonNode pod = at(manifests, component.id, component.pod);
            assertThat(pod.at("/containers/0/env")).as(component.section)
                    .contains(StrictKubernetes.YAML.readTree("{name: AWS_CA_BUNDLE, value: /etc/ca/ca.pem}"));
            assertThat(pod.at("/containers/0/volumeMounts")).as(component.section)
                    .contains(StrictKubernetes.YAML.readTree("{name: ca, mountPath: /etc/ca}"));
            assertThat(pod.path("volumes")).as(component.section)
                    .contains(StrictKubernetes.YAML.readTree("{name: ca, configMap: {name: team-ca}}"));
        }
    }

    @Test
    void aHookOfTheValuesReplacesTheGatherersOwnAndNoOther() {
        Manifests manifests = chart.shape("minimal").and("gather: {lifecycleHooks: {postStart: {sleep: {seconds: 1}}}}")
                .manifests();

        assertThat(
                at(manifests, "Deployment/windrow-gather", "/spec/template/spec/containers/0/lifecycle/preStop/sleep/seconds")
                        .asInt())
                .isEqualTo(5);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            type: NodePort, nodePort: 30080                         | /spec/ports/0/nodePort         | 30080
            type: ClusterIP, clusterIP: 10.96.0.80                  | /spec/clusterIP                | 10.96.0.80
            type: ClusterIP, externalIPs: [192.0.2.80]              | /spec/externalIPs              | [192.0.2.80]
            type: NodePort, externalTrafficPolicy: Local            | /spec/externalTrafficPolicy    | Local
            type: ClusterIP, internalTrafficPolicy: Local           | /spec/internalTrafficPolicy    | Local
            type: ClusterIP, trafficDistribution: PreferClose       | /spec/trafficDistribution      | PreferClose
            type: ClusterIP, ipFamilyPolicy: PreferDualStack        | /spec/ipFamilyPolicy           | PreferDualStack
            type: ClusterIP, ipFamilies: [IPv6]                     | /spec/ipFamilies               | [IPv6]
            type: LoadBalancer, loadBalancerClass: service.k8s.aws/nlb | /spec/loadBalancerClass     | service.k8s.aws/nlb
            type: LoadBalancer, loadBalancerIP: 192.0.2.81          | /spec/loadBalancerIP           | 192.0.2.81
            type: LoadBalancer, loadBalancerSourceRanges: [10.0.0.0/8] | /spec/loadBalancerSourceRanges | [10.0.0.0/8]
            type: ClusterIP, sessionAffinity: ClientIP              | /spec/sessionAffinity          | ClientIP
            sessionAffinity: ClientIP, sessionAffinityConfig: {clientIP: {timeoutSeconds: 9}} | /spec/sessionAffinityConfig/clientIP/timeoutSeconds | 9
            annotations: {a: b}                                     | /metadata/annotations/a        | b
            """)
    void theGatherersServiceTakesItFromItsValues(String yaml, String pointer, String expected) throws Exception {
        Manifests manifests = chart.shape("minimal").and("gather: {service: {%s}}".formatted(yaml)).manifests();

        assertThat(at(manifests, "Service/windrow-gather", pointer)).isEqualTo(StrictKubernetes.YAML.readTree(expected));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            clusterIP: None                 | /spec/clusterIP      | None
            ipFamilyPolicy: PreferDualStack | /spec/ipFamilyPolicy | PreferDualStack
            ipFamilies: [IPv6]              | /spec/ipFamilies     | [IPv6]
            annotations: {a: b}             | /metadata/annotations/a | b
            """)
    void theWritersServiceTakesItFromItsValues(String yaml, String pointer, String expected) throws Exception {
        Manifests manifests = chart.shape("minimal").and("writer: {service: {%s}}".formatted(yaml)).manifests();

        assertThat(at(manifests, "Service/windrow-writer", pointer)).isEqualTo(StrictKubernetes.YAML.readTree(expected));
    }

    /** It exposes nothing to the outside, however the API is exposed. */
    @Test
    void theServiceForMetricsTakesTheFamiliesOfAddressesAlone() {
        JsonNode spec = chart.shape("platform").manifests().one("Service", "windrow-counts-gather-management").tree()
                .path("spec");

        assertThat(spec.path("type").asText()).isEqualTo("ClusterIP");
        assertThat(spec.path("clusterIP").asText()).isEqualTo("None");
        assertThat(spec.path("ipFamilies")).hasSize(2);
        assertThat(Manifest.strings(spec)).doesNotContainKeys("loadBalancerIP", "externalIPs", "sessionAffinity");
    }

    @Test
    void commonAnnotationsAreOnEveryObjectAndCannotOverrideTheCharts() {
        Manifests manifests = chart.shape("full")
                .and("commonAnnotations: {example.com/owner: all, a: b, shown.helm.sh/hook: none}").manifests();

        assertThat(manifests.all().stream().filter(manifest -> manifest.labels().containsKey("app.kubernetes.io/part-of")))
                .hasSizeGreaterThan(20).allSatisfy(manifest -> assertThat(manifest.annotations()).containsEntry("a", "b"));
        assertThat(manifests.one("Service", "counting-gather").annotations()).containsEntry("example.com/owner", "counting");
        assertThat(manifests.one("Pod", "counting-test").annotations()).containsEntry("shown.helm.sh/hook", "test");
    }

    private static JsonNode at(Manifests manifests, String id, String pointer) {
        String[] kindAndName = id.split("/", -1);
        return manifests.one(kindAndName[0], kindAndName[1]).tree().at(pointer);
    }
}
