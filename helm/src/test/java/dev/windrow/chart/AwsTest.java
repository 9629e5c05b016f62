package dev.windrow.chart;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

import org.junit.jupiter.api.Test;

import com.fasterxml.jackson.databind.JsonNode;

/** Which AWS the pods talk to, as whom, and what that identity may do. */
class AwsTest {

    private final WindrowChart chart = new WindrowChart();

    @Test
    void rolesAreAnnotatedOnTheServiceAccountsOfTheirPods() {
        Manifests manifests = chart.shape("irsa").manifests();

        for (String component : List.of("writer", "gather")) {
            Manifest deployment = manifests.one("Deployment", "windrow-" + component);
            String account = deployment.podSpec().path("serviceAccountName").asText();
            assertThat(manifests.one("ServiceAccount", account).annotations()).containsEntry("eks.amazonaws.com/role-arn",
                    "arn:aws:iam::111122223333:role/windrow-" + component);
        }
    }

    @Test
    void noTwoComponentsShareAServiceAccount() {
        assertThat(chart.shape("irsa").manifests().withPods()
                .map(manifest -> manifest.podSpec().path("serviceAccountName").asText())).doesNotHaveDuplicates().hasSize(4);
    }

    @Test
    void withoutASecretCredentialsAreLeftToTheDefaultChain() {
        assertThat(chart.shape("irsa").manifests().withPods()).allSatisfy(manifest -> {
            List<String> names = variables(manifest).map(variable -> variable.path("name").asText()).toList();
            assertThat(names).contains("AWS_REGION").noneMatch(name -> name.startsWith("AWS_") && !name.equals("AWS_REGION"))
                    .noneMatch(name -> name.endsWith("ENDPOINT_OVERRIDE"));
        });
    }

    @Test
    void credentialsOfASecretAreReferredToAndNeverWrittenOut() {
        Manifest writer = chart.shape("own-objects").manifests().one("Deployment", "windrow-counting-writer");

        Map<String, String> secrets = new TreeMap<>();
        variables(writer).filter(variable -> variable.at("/valueFrom/secretKeyRef").isObject()).forEach(variable -> secrets
                .put(variable.path("name").asText(), variable.at("/valueFrom/secretKeyRef/name").asText()));
        assertThat(secrets).isEqualTo(Map.of("AWS_ACCESS_KEY_ID", "windrow-aws", "AWS_SECRET_ACCESS_KEY", "windrow-aws",
                "AWS_SESSION_TOKEN", "windrow-aws"));
        assertThat(Environment.of(writer)).containsEntry("AWS_REGION", "us-gov-west-1")
                .containsEntry("QUARKUS_DYNAMODB_ENDPOINT_OVERRIDE",
                        "https://vpce-0123456789abcdef0.dynamodb.us-gov-west-1.vpce.amazonaws.com")
                .containsEntry("QUARKUS_SQS_ENDPOINT_OVERRIDE",
                        "https://vpce-0123456789abcdef1.sqs.us-gov-west-1.vpce.amazonaws.com");
    }

    @Test
    void inATrialEndpointsAreThoseOfTheEmbeddedServersService() {
        Manifests manifests = chart.shape("trial").manifests();

        Map<String, Integer> ports = new TreeMap<>();
        manifests.one("Service", "windrow-local-aws").tree().at("/spec/ports")
                .forEach(port -> ports.put(port.path("name").asText(), port.path("port").asInt()));
        assertThat(Environment.of(manifests.one("Deployment", "windrow-writer")))
                .containsEntry("QUARKUS_DYNAMODB_ENDPOINT_OVERRIDE", "http://windrow-local-aws:" + ports.get("dynamodb"))
                .containsEntry("QUARKUS_SQS_ENDPOINT_OVERRIDE", "http://windrow-local-aws:" + ports.get("sqs"));
        assertThat(Environment.of(manifests.one("Deployment", "windrow-gather")))
                .containsEntry("QUARKUS_DYNAMODB_ENDPOINT_OVERRIDE", "http://windrow-local-aws:" + ports.get("dynamodb"))
                .doesNotContainKey("QUARKUS_SQS_ENDPOINT_OVERRIDE");
    }

    @Test
    void theNotesPrintAPolicyForEachServiceAccount() {
        assertThat(policies("irsa")).containsOnlyKeys("windrow-writer", "windrow-gather", "windrow-provision",
                "windrow-test");
        assertThat(policies("minimal")).containsOnlyKeys("windrow-writer", "windrow-gather", "windrow-test");
        assertThat(policies("own-objects")).containsOnlyKeys("team-writer", "default");
        assertThat(policies("trial")).isEmpty();
    }

    @Test
    void policiesAllowTheLeast() {
        Map<String, JsonNode> policies = policies("irsa");

        assertThat(Policies.actions(policies.get("windrow-gather"))).containsExactly("dynamodb:BatchGetItem",
                "dynamodb:DescribeTable", "dynamodb:Query");
        assertThat(Policies.actions(policies.get("windrow-writer"))).contains("dynamodb:UpdateItem",
                "dynamodb:DescribeTable", "sqs:ReceiveMessage", "sqs:DeleteMessage", "sqs:ChangeMessageVisibility",
                "sqs:SendMessage")
                .doesNotContain("dynamodb:Query", "dynamodb:Scan", "dynamodb:DeleteItem", "dynamodb:CreateTable");
        assertThat(Policies.actions(policies.get("windrow-provision"))).contains("dynamodb:CreateTable", "sqs:CreateQueue")
                .doesNotContain("dynamodb:DeleteTable", "sqs:DeleteQueue", "dynamodb:UpdateItem", "sqs:ReceiveMessage");
        assertThat(Policies.actions(policies.get("windrow-test"))).containsExactly("sqs:GetQueueUrl", "sqs:SendMessage");
        // Each ranked measure has an index of its own, and measures are declared in the datasets.
        assertThat(policies.values()).allSatisfy(policy -> assertThat(policy.toString().replace("/index/rank-*", ""))
                .doesNotContain("*"));
    }

    @Test
    void policiesNameTheTableAndQueuesOfTheValues() {
        assertThat(policies("own-objects").get("team-writer").findValuesAsText("Resource")).containsExactly(
                "arn:aws-us-gov:dynamodb:us-gov-west-1:111122223333:table/counts",
                "arn:aws-us-gov:sqs:us-gov-west-1:111122223333:incoming",
                "arn:aws-us-gov:sqs:us-gov-west-1:111122223333:rejected");
    }

    @Test
    void theWritersPolicyNamesEveryQueueOfItsSettings() {
        String queues = "'windrow-events, https://sqs.eu-central-1.amazonaws.com/444455556666/orders'";
        String notes = chart.shape("irsa").and("writer: {config: {windrow.writer.queues: %s}}".formatted(queues)).notes();

        JsonNode receiveEvents = Policies.of(notes).get("windrow-writer").at("/Statement/1");
        assertThat(receiveEvents.path("Sid").asText()).isEqualTo("ReceiveEvents");
        assertThat(ShapesTest.elements(receiveEvents.path("Resource")).map(JsonNode::asText)).containsExactly(
                "arn:aws:sqs:eu-central-1:111122223333:windrow-events", "arn:aws:sqs:eu-central-1:444455556666:orders");
    }

    @Test
    void theWritersPolicyAllowsReplayingDeadLettersWhereItsSettingsEnableIt() {
        // Given
        String enabled = "writer: {config: {windrow.writer.management.enabled: true}}";
        String several = "writer: {config: {windrow.writer.management.enabled: 'true', windrow.writer.queues: 'a, b'}}";
        // When
        Set<String> without = Policies.permissions(policies("irsa").get("windrow-writer"));
        Set<String> with = writerPermissions(enabled);
        Set<String> withSeveral = writerPermissions(several);
        // Then
        assertThat(with).containsAll(without).hasSize(without.size() + 4).contains("sqs:ReceiveMessage windrow-events-dlq",
                "sqs:DeleteMessage windrow-events-dlq", "sqs:ChangeMessageVisibility windrow-events-dlq",
                "sqs:SendMessage windrow-events");
        // dead letters are sent to the first queue
        assertThat(withSeveral).contains("sqs:ReceiveMessage windrow-events-dlq", "sqs:SendMessage a")
                .doesNotContain("sqs:SendMessage b");
        assertThat(writerPermissions(enabled.replace("true", "false"))).isEqualTo(without);
    }

    private Map<String, JsonNode> policies(String shape) {
        return Policies.of(chart.shape(shape).notes());
    }

    private Set<String> writerPermissions(String values) {
        return Policies.permissions(Policies.of(chart.shape("irsa").and(values).notes()).get("windrow-writer"));
    }

    private static java.util.stream.Stream<JsonNode> variables(Manifest manifest) {
        return ShapesTest.elements(manifest.podSpec().at("/containers/0/env"));
    }
}
