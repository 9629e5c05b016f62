package dev.windrow.chart;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;

import org.junit.jupiter.api.Test;

import com.fasterxml.jackson.databind.JsonNode;

/** What runs beside the services: the Job that creates table and queues, and the test. */
class HooksTest {

    private final WindrowChart chart = new WindrowChart();

    @Test
    void helmTakesJobAndTestForHooks() {
        assertThat(chart.shape("irsa").manifests().ids()).contains("Job/windrow-provision", "Pod/windrow-test");
        assertThat(WindrowChart.withoutHooks().shape("irsa").manifests().ids()).contains("Deployment/windrow-writer")
                .doesNotContain("Job/windrow-provision", "ServiceAccount/windrow-provision", "Pod/windrow-test",
                        "ServiceAccount/windrow-test");
    }

    @Test
    void tableAndQueuesAreThereBeforeTheServicesAndTheJobsAccountBeforeTheJob() {
        Manifests manifests = chart.shape("irsa").manifests();
        Manifest job = manifests.one("Job", "windrow-provision");
        Manifest account = manifests.one("ServiceAccount", "windrow-provision");

        assertThat(List.of(job, account)).allSatisfy(hook -> {
            assertThat(hook.annotations()).containsEntry("shown.helm.sh/hook", "pre-install,pre-upgrade");
            assertThat(hook.annotations().get("shown.helm.sh/hook-delete-policy")).contains("before-hook-creation");
        });
        assertThat(weight(account)).isLessThan(weight(job));
        assertThat(account.annotations()).containsEntry("eks.amazonaws.com/role-arn",
                "arn:aws:iam::111122223333:role/windrow-provision");
    }

    @Test
    void theJobNamesTheSameTableAndQueuesAsTheServices() {
        Manifests manifests = chart.shape("irsa").with("aws.table", "counts").with("aws.queue", "incoming")
                .with("aws.deadLetterQueue", "rejected").manifests();

        assertThat(Environment.of(manifests.one("Job", "windrow-provision")))
                .containsEntry("WINDROW_TABLE", "counts").containsEntry("WINDROW_WRITER_QUEUE", "incoming")
                .containsEntry("WINDROW_WRITER_DEAD_LETTER_QUEUE", "rejected");
        assertThat(Environment.of(manifests.one("Deployment", "windrow-writer")))
                .containsEntry("WINDROW_TABLE", "counts").containsEntry("WINDROW_WRITER_QUEUE", "incoming")
                .containsEntry("WINDROW_WRITER_DEAD_LETTER_QUEUE", "rejected");
        assertThat(Environment.of(manifests.one("Deployment", "windrow-gather"))).containsEntry("WINDROW_TABLE", "counts");
    }

    @Test
    void theJobAddsTheIndexesOfLeaderboards() {
        Manifests none = chart.shape("irsa").manifests();
        Manifests ranked = chart.shape("irsa").with("windrow.datasets.clicks.rank[0].by", "events")
                .with("windrow.datasets.clicks.rank[1].by", "bytes").manifests();

        assertThat(Environment.of(none.one("Job", "windrow-provision"))).doesNotContainKey("WINDROW_PROVISION_RANKED_MEASURES");
        assertThat(Environment.of(ranked.one("Job", "windrow-provision")))
                .containsEntry("WINDROW_PROVISION_RANKED_MEASURES", "bytes,events");
    }

    @Test
    void theJobEndsByItself() {
        Manifest job = chart.shape("irsa").manifests().one("Job", "windrow-provision");

        assertThat(job.tree().at("/spec/activeDeadlineSeconds").asInt()).isEqualTo(600);
        assertThat(job.tree().at("/spec/backoffLimit").asInt()).isEqualTo(3);
        assertThat(job.podSpec().path("restartPolicy").asText()).isEqualTo("Never");
        assertThat(job.podSpec().at("/containers/0/args/0").asText()).isEqualTo("provision");
    }

    @Test
    void theTestPostsToTheWritersQueueAndQueriesTheGatherersService() {
        Manifests manifests = chart.shape("irsa").with("gather.service.port", 80).manifests();
        Manifest test = manifests.one("Pod", "windrow-test");

        assertThat(test.annotations()).containsEntry("shown.helm.sh/hook", "test")
                .containsEntry("shown.helm.sh/hook-delete-policy", "before-hook-creation,hook-succeeded");
        assertThat(test.podSpec().at("/containers/0/args/0").asText()).isEqualTo("check");
        assertThat(Environment.of(test)).containsEntry("WINDROW_WRITER_QUEUE", "windrow-events")
                .containsEntry("WINDROW_CHECK_GATHER", "http://windrow-gather:80")
                .containsEntry("WINDROW_DATASETS_FILE", "/etc/windrow/datasets/datasets.yaml");
        JsonNode key = ShapesTest.elements(test.podSpec().at("/containers/0/env"))
                .filter(variable -> variable.path("name").asText().equals("WINDROW_CHECK_API_KEY")).findFirst().orElseThrow();
        assertThat(key.at("/valueFrom/secretKeyRef/name").asText()).isEqualTo("windrow-test-key");
    }

    @Test
    void thereIsNoTestWhereItWouldNeedAnAccessToken() {
        Manifests manifests = chart.shape("irsa").with("gather.authentication.type", "oidc")
                .with("gather.authentication.oidc.authServerUrl", "https://id.example.com").manifests();

        assertThat(manifests.ids()).contains("Deployment/windrow-gather").doesNotContain("Pod/windrow-test",
                "ServiceAccount/windrow-test");
    }

    @Test
    void noServicesSelectorFindsAJobOrTest() {
        Manifests manifests = chart.shape("irsa").manifests();

        assertThat(manifests.kind("Service")).allSatisfy(service -> assertThat(
                manifests.selectedBy(service.tree().at("/spec/selector"))).noneMatch(Manifest::isHook));
    }

    private static int weight(Manifest hook) {
        return Integer.parseInt(hook.annotations().get("shown.helm.sh/hook-weight"));
    }
}
