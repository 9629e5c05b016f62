package dev.windrow.chart;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

import com.fasterxml.jackson.databind.JsonNode;

/** Wrong values are refused before anything is installed, with the value's name. */
class ValuesTest {

    static final JsonNode SCHEMA = read("values.schema.json");
    private static final JsonNode DEFAULTS = read("values.yaml");

    private final WindrowChart chart = new WindrowChart();

    /** Every map of the default values that is no free map, by its path. */
    static Stream<String> sections() {
        List<String> sections = new ArrayList<>(List.of(""));
        collect("", DEFAULTS, SCHEMA, sections);
        return sections.stream();
    }

    static Stream<String> closedSections() {
        return sections().filter(section -> !section.equals("global."));
    }

    private static void collect(String path, JsonNode values, JsonNode schema, List<String> sections) {
        for (Map.Entry<String, JsonNode> entry : values.properties()) {
            JsonNode rule = resolved(schema.path("properties").path(entry.getKey()));
            if (entry.getValue().isObject() && rule.has("properties")) {
                sections.add(path + entry.getKey() + ".");
                collect(path + entry.getKey() + ".", entry.getValue(), rule, sections);
            }
        }
    }

    @ParameterizedTest
    @MethodSource("closedSections")
    void aMisspeltValueIsRefusedInEverySection(String section) {
        assertThatThrownBy(() -> chart.shape("minimal").with(section + "replcas", 1).text())
                .hasMessageContaining("replcas");
    }

    @Test
    void thereAreManySections() {
        assertThat(sections()).hasSizeGreaterThan(30).contains("writer.keda.", "gather.authentication.oidc.",
                "monitoring.prometheusRule.");
    }

    /** The schema and the defaults have the same keys, so that each is refused or documented by name. */
    @ParameterizedTest
    @MethodSource("sections")
    void schemaAndDefaultsKnowTheSameValues(String section) {
        JsonNode values = DEFAULTS;
        JsonNode schema = SCHEMA;
        for (String step : section.isEmpty() ? new String[0] : section.split("\\.", -1)) {
            if (!step.isEmpty()) {
                values = values.path(step);
                schema = resolved(schema.path("properties").path(step));
            }
        }
        if (values.isEmpty() || section.matches(".*(resources|Probe|strategy|rollingUpdate)\\.")) {
            return; // parts of it are optional in Kubernetes
        }
        List<String> ofSchema = schema.path("properties").properties().stream().map(Map.Entry::getKey)
                .sorted().toList();
        List<String> ofValues = values.properties().stream().map(Map.Entry::getKey).sorted().toList();
        assertThat(ofValues).isEqualTo(ofSchema);
        // a parent chart's globals are not all meant for this chart
        assertThat(schema.path("additionalProperties").asBoolean(true)).isEqualTo(section.equals("global."));
    }

    @ParameterizedTest
    @CsvSource(textBlock = """
            writer.replicas,                            many
            writer.drainSeconds,                        0
            writer.image.digest,                        sha256:1
            writer.topologySpread.whenUnsatisfiable,    Never
            writer.keda.identityOwner,                  pod
            gather.service.type,                        ExternalName
            gather.service.port,                        70000
            gather.authentication.type,                 password
            aws.region,                                 Frankfurt
            aws.accountId,                              12345
            aws.table,                                  t
            aws.queue,                                  https://sqs.eu-central-1.amazonaws.com/1/q
            aws.queue,                                  events.lifo
            aws.deadLetterQueue,                        .fifo
            aws.sqsEndpoint,                            sqs.internal
            image.pullPolicy,                           Sometimes
            windrow.datasets.clicks.granulariteis,      minute
            windrow.datasets.clicks.partition,          0
            windrow.datasets.clicks.delivery,           at-most-once
            windrow.datasets.clicks.measures.events.type, mean
            monitoring.prometheusRule.errorRatio,       2
            monitoring.prometheusRule.incompleteRatio,  5
            localAws.persistence.size,                  much
            writer.hostUsers,                           maybe
            writer.dnsPolicy,                           Host
            writer.strategy.type,                       Replace
            writer.livenessProbe.periodSeconds,         0
            writer.keda.fallback.replicas,              3
            gather.service.nodePort,                    70000
            gather.service.externalTrafficPolicy,       Remote
            gather.service.ipFamilies[0],               IPv5
            gather.service.sessionAffinity,             Cookie
            monitoring.podMonitor.scrapeTimeout,        soon
            global.imageRegistry,                       1
            """)
    void aValueOfTheWrongFormIsRefusedByName(String path, String value) {
        String last = path.substring(path.lastIndexOf('.') + 1).replace("[0]", "");

        assertThatThrownBy(() -> chart.shape("minimal").with(path, value).text()).hasMessageContaining(last);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            trial   | provision.enabled              | true      | provision.enabled: expected false with localAws.enabled
            trial   | writer.keda.enabled            | true      | writer.keda.enabled: expected false with localAws.enabled
            trial   | aws.sqsEndpoint                | http://a  | aws.dynamodbEndpoint, aws.sqsEndpoint: expected nothing
            trial   | aws.deadLetterQueue            | other     | aws.deadLetterQueue: expected windrow-events-dlq
            trial   | aws.queue                      | e.fifo    | aws.deadLetterQueue: expected e-dlq.fifo with
            minimal | aws.queue                      | e.fifo    | aws.deadLetterQueue: expected a FIFO queue if and only if
            minimal | aws.region                     | ''        | aws.region: expected the AWS region
            minimal | windrow.datasets               | null      | windrow.datasets: expected at least one dataset
            minimal | existingDatasets.configMap     | mine      | windrow.datasets: expected nothing when existingDatasets
            minimal | gather.authentication.type     | ''        | gather.authentication.type: expected api-key, oidc or none
            minimal | gather.authentication.type     | api-key   | gather.authentication.apiKey.existingSecret: expected
            minimal | gather.authentication.type     | oidc      | gather.authentication.oidc.authServerUrl: expected
            minimal | writer.keda.minReplicas        | 21        | writer.keda.minReplicas: expected at most
            minimal | gather.autoscaling.minReplicas | 11        | gather.autoscaling.minReplicas: expected at most
            minimal | gather.ingress.enabled         | true      | gather.ingress.hosts: expected at least one host
            minimal | gather.httpRoute.enabled       | true      | gather.httpRoute.parentRefs: expected at least one gateway
            minimal | gather.service.nodePort        | 30080     | gather.service.nodePort: expected gather.service.type NodePort or
            minimal | gather.service.externalTrafficPolicy | Local | gather.service.externalTrafficPolicy: expected gather.service.type
            minimal | gather.service.loadBalancerIP  | 192.0.2.1 | gather.service.loadBalancerIP: expected gather.service.type
            minimal | gather.service.loadBalancerClass | nlb     | gather.service.loadBalancerClass: expected gather.service.type
            minimal | gather.service.loadBalancerSourceRanges[0] | 10.0.0.0/8 | loadBalancerSourceRanges: expected gather.service.type
            minimal | gather.service.sessionAffinityConfig.clientIP.timeoutSeconds | 9 | expected gather.service.sessionAffinity ClientIP
            platform | gather.service.clusterIP      | None      | gather.service.clusterIP: expected an address
            platform | monitoring.serviceMonitor.enabled | true  | monitoring.podMonitor.enabled: expected false with
            full    | writer.keda.advanced.horizontalPodAutoscalerConfig.behavior.scaleUp.stabilizationWindowSeconds | 9 | set writer.keda.behavior
            minimal | enabled                        | false     | enabled: expected true
            """)
    void valuesThatDoNotFitTogetherAreRefusedByName(String shape, String path, String value, String message) {
        assertThatThrownBy(() -> chart.shape(shape).with(path, value).text()).hasMessageContaining(message);
    }

    @Test
    void queuesMayBeFirstInFirstOut() {
        Manifest writer = chart.shape("trial").and("aws: {queue: events.fifo, deadLetterQueue: events-dlq.fifo}").manifests()
                .one("Deployment", "windrow-writer");

        assertThat(Environment.of(writer)).containsEntry("WINDROW_WRITER_QUEUE", "events.fifo")
                .containsEntry("WINDROW_WRITER_DEAD_LETTER_QUEUE", "events-dlq.fifo");
    }

    @Test
    void aQueuesNameHasAtMost80CharactersWithItsSuffix() {
        String longest = "a".repeat(75) + ".fifo";

        assertThat(fifo(longest).text()).contains(longest);
        assertThatThrownBy(() -> fifo("a" + longest).text()).hasMessageContaining("/aws/queue");
    }

    private WindrowChart.Rendering fifo(String queue) {
        return chart.shape("minimal").with("aws.deadLetterQueue", "rejected.fifo").with("aws.queue", queue);
    }

    static String text(String file) {
        try {
            return Files.readString(WindrowChart.FOLDER.resolve(file));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static JsonNode resolved(JsonNode rule) {
        String reference = rule.path("$ref").asText();
        return reference.isEmpty() ? rule : SCHEMA.at(reference.substring(1));
    }

    static JsonNode read(String file) {
        try {
            return StrictKubernetes.YAML.readTree(text(file));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
