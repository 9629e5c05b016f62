package dev.windrow.chart;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;

import dev.windrow.local.LocalAws;
import dev.windrow.local.LocalAwsOptions;

/**
 * What the chart renders starts the packaged services, and the job and the test do what they are for, with the credentials
 * of EKS Pod Identity and no more than their policies allow.
 */
@Tag("slow")
class RenderedServicesIT {

    private static final Duration LIMIT = Duration.ofMinutes(3);
    private static final Duration REQUEST_LIMIT = Duration.ofMinutes(1);
    private static final Pattern METRIC = Pattern.compile("\\b((?:windrow|http_server)_[a-z_]+)");
    private static final HttpClient HTTP = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private static final String API_KEY = "a-key-of-this-test-only";
    private static final String API_KEY_SHA_256 = "98a157754ef50ef3089749c64c6cceaccf56e2f03eef9a13e77b0a4d780009fe";
    private static final String JAVA = Path.of(System.getProperty("java.home"), "bin", "java").toString();

    @TempDir
    Path folder;

    private LocalAws aws;
    private AwsAccount account;
    private WindrowChart.Rendering installation;
    private Manifests manifests;
    private final List<RunningContainer> started = new ArrayList<>();

    @BeforeEach
    void startEmptyServers() {
        aws = LocalAws.start(LocalAwsOptions.forTests().withoutProvisioning());
        account = new AwsAccount(aws);
        // names other than the defaults show that every part reads them from the chart
        installation = new WindrowChart().shape("full")
                .with("aws.dynamodbEndpoint", account.dynamoDb().toString())
                .with("aws.sqsEndpoint", account.sqs().toString())
                .with("aws.table", "counts").with("aws.queue", "incoming").with("aws.deadLetterQueue", "rejected")
                .and("writer: {config: {windrow.writer.management.enabled: true}}")
                .and("gather: {config: {windrow.gather.api.max-limit: 5}}");
        manifests = installation.manifests();
    }

    @AfterEach
    void stop() {
        started.forEach(RunningContainer::close);
        account.close();
        aws.close();
    }

    @Test
    void anInstallationProvisionsStartsCountsAndEnds() throws Exception {
        // given table and queues as the job leaves them, run twice
        assertThat(run("Job", "counting-provision", Map.of())).contains("table counts: created", "rejected");
        assertThat(run("Job", "counting-provision", Map.of())).contains("table counts: unchanged");

        // when both services are started as rendered
        RunningContainer writer = start("Deployment", "counting-writer", "writer-service", Map.of());
        RunningContainer gather = start("Deployment", "counting-gather", "gather-service", Map.of());

        // then the rendered probes succeed on the management port
        for (RunningContainer service : List.of(writer, gather)) {
            awaitProbes(service);
        }

        // and queries without a key are rejected
        assertThat(get(gather.port(), "/api/v1/datasets").statusCode()).isEqualTo(401);

        // and each service has the settings of its values
        assertThat(get(writer.managementPort(), "/manage/state").statusCode()).isEqualTo(200);
        assertThat(getWithKey(gather.port(), "/api/v1/datasets/clicks/buckets?granularity=hour&last=1h&limit=6").body())
                .contains("limit", "5");

        // and the rendered test posts events and reads them back
        assertThat(run("Pod", "counting-test", Map.of("WINDROW_CHECK_GATHER", "http://127.0.0.1:" + gather.port())))
                .contains("5 events of dataset clicks posted and answered exactly");

        // and what alerts and dashboard look at is there
        assertThat(getWithKey(gather.port(), "/api/v1/datasets/clicks/series?granularity=hour&last=2h").statusCode())
                .isEqualTo(200);
        aws.sqs().sendMessage(request -> request.queueUrl(queueUrl()).messageBody("no event")).get();
        await().atMost(LIMIT).untilAsserted(() -> assertThat(metrics(writer)).contains("windrow_writer_dead_letters_total"));
        Set<String> reported = new TreeSet<>(metrics(writer));
        reported.addAll(metrics(gather));
        assertThat(lookedAt()).hasSizeGreaterThan(10).isSubsetOf(reported);
        ScrapedDashboard.assertResults(manifests.one("ConfigMap", "counting-dashboard"),
                List.of(new ScrapedDashboard.Target("counting-writer", scrape(writer)),
                        new ScrapedDashboard.Target("counting-gather-management", scrape(gather))));

        // and nothing in the configuration is unknown to the services
        assertThat(writer.log() + gather.log()).doesNotContain("Unrecognized configuration key");

        // and both end in order within their grace period when terminated: 128 and the number of the signal
        for (RunningContainer service : List.of(writer, gather)) {
            int grace = manifests.one("Deployment", service.name()).podSpec().path("terminationGracePeriodSeconds").asInt();
            assertThat(service.terminate(Duration.ofSeconds(grace))).isEqualTo(143);
        }

        // and nobody did what the policies in the notes do not allow
        Map<String, JsonNode> policies = Policies.of(installation.notes());
        for (String serviceAccount : List.of("counting-writer", "counting-gather", "counting-provision", "counting-test")) {
            assertThat(account.used(serviceAccount)).as(serviceAccount).isNotEmpty()
                    .isSubsetOf(Policies.permissions(policies.get(serviceAccount)));
        }
    }

    @Test
    void theEmbeddedServersOfATrialTakeTheirArguments() {
        Manifests trial = new WindrowChart().shape("trial").with("aws.table", "counts").with("aws.queue", "incoming")
                .with("aws.deadLetterQueue", "incoming-dlq").manifests();

        RunningContainer servers = RunningContainer.start(Map.of(), trial.one("Deployment", "windrow-local-aws"),
                List.of(JAVA, "-XX:TieredStopAtLevel=1", "-Xmx384m", "-jar", localAwsJar()), Map.of(), folder);
        started.add(servers);

        await().atMost(LIMIT).until(() -> !servers.isAlive() || servers.log().contains("Ctrl-C"));
        assertThat(servers.log()).contains("counts", "/incoming", "/incoming-dlq");
        assertThat(servers.isAlive()).isTrue();
    }

    private static String localAwsJar() {
        try (Stream<Path> files = Files.list(Path.of("../local-aws/target"))) {
            return files.filter(file -> file.getFileName().toString().matches("windrow-local-aws-[0-9.]+(-SNAPSHOT)?\\.jar"))
                    .findFirst().orElseThrow().toAbsolutePath().normalize().toString();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void awaitProbes(RunningContainer service) {
        await().atMost(LIMIT).until(() -> !service.isAlive() || service.managementPort() > 0);
        assertThat(service.managementPort()).as(service::log).isPositive();
        JsonNode container = manifests.one("Deployment", service.name()).podSpec().at("/containers/0");
        for (String probe : List.of("startupProbe", "livenessProbe", "readinessProbe")) {
            String path = container.path(probe).at("/httpGet/path").asText();
            await().atMost(LIMIT).ignoreExceptions()
                    .untilAsserted(() -> assertThat(get(service.managementPort(), path).statusCode())
                            .as(path).isEqualTo(200));
        }
    }

    private String run(String kind, String name, Map<String, String> environment) throws InterruptedException {
        try (RunningContainer container = start(kind, name, "writer-service", environment)) {
            assertThat(container.exitCode(LIMIT)).as(container::log).isZero();
            return container.log();
        }
    }

    private RunningContainer start(String kind, String name, String module, Map<String, String> environment) {
        String jar = Path.of("..", module, "target/quarkus-app/quarkus-run.jar").toAbsolutePath().normalize().toString();
        Manifest workload = manifests.one(kind, name);
        Map<String, String> inCluster = new TreeMap<>(environment);
        inCluster.putAll(account.podIdentity(workload.podSpec().path("serviceAccountName").asText(), folder));
        RunningContainer container = RunningContainer.start(objects(), workload,
                List.of(JAVA, "-XX:TieredStopAtLevel=1", "-Xmx256m", "-jar", jar), inCluster, folder);
        started.add(container);
        return container;
    }

    /** The rendered ConfigMaps, and the Secrets that the values name. */
    private Map<String, JsonNode> objects() {
        Map<String, JsonNode> objects = new TreeMap<>();
        manifests.kind("ConfigMap").forEach(map -> objects.put(map.id(), map.tree().path("data")));
        ObjectMapper json = new ObjectMapper();
        objects.put("ConfigMap/team-settings", json.createObjectNode());
        objects.put("Secret/team-certificates", json.createObjectNode());
        objects.put("Secret/windrow-test-key", json.createObjectNode().put("api-key", API_KEY));
        objects.put("Secret/windrow-api-keys", json.createObjectNode().put("api-keys.yaml",
                "windrow: {api-keys: {test: {sha256: " + API_KEY_SHA_256 + ", tenant: default}}}"));
        return objects;
    }

    private String queueUrl() {
        return aws.sqs().getQueueUrl(request -> request.queueName("incoming")).join().queueUrl();
    }

    private static Set<String> metrics(RunningContainer service) throws IOException, InterruptedException {
        Set<String> names = new TreeSet<>();
        Matcher name = METRIC.matcher(scrape(service));
        while (name.find()) {
            names.add(name.group(1));
        }
        return names;
    }

    private static String scrape(RunningContainer service) throws IOException, InterruptedException {
        return get(service.managementPort(), "/q/metrics").body();
    }

    private Set<String> lookedAt() {
        Set<String> names = new TreeSet<>();
        Matcher name = METRIC.matcher(manifests.one("PrometheusRule", "counting").tree().findValuesAsText("expr") + "\n"
                + manifests.one("ConfigMap", "counting-dashboard").tree().path("data"));
        while (name.find()) {
            names.add(name.group(1));
        }
        return names;
    }

    private static HttpResponse<String> getWithKey(int port, String path) throws IOException, InterruptedException {
        return HTTP.send(HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path)).timeout(REQUEST_LIMIT)
                .header("X-API-Key", API_KEY).build(), HttpResponse.BodyHandlers.ofString());
    }

    private static HttpResponse<String> get(int port, String path) throws IOException, InterruptedException {
        return HTTP.send(HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path)).timeout(REQUEST_LIMIT)
                .build(), HttpResponse.BodyHandlers.ofString());
    }
}
