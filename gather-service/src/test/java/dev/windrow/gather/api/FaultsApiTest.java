package dev.windrow.gather.api;

import static dev.windrow.gather.api.Api.ask;
import static dev.windrow.gather.api.Api.get;
import static io.restassured.RestAssured.given;
import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;

import jakarta.inject.Inject;

import org.awaitility.Awaitility;
import org.eclipse.microprofile.config.ConfigProvider;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import dev.windrow.dataset.Datasets;
import dev.windrow.gather.fixture.Aggregated;
import dev.windrow.gather.fixture.FaultyTable;
import dev.windrow.key.Label;
import dev.windrow.local.fault.DynamoDbFaults;
import dev.windrow.local.fault.Fault;
import dev.windrow.local.fault.FaultPlan;
import dev.windrow.local.fault.FaultProxy;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.path.json.JsonPath;
import io.restassured.response.Response;
import software.amazon.awssdk.services.dynamodb.DynamoDbAsyncClient;

/** What clients are told when shards hang, fail or are too slow, through a DynamoDB that does. */
@QuarkusTest
@QuarkusTestResource(value = FaultyTable.class, restrictToAnnotatedClass = true)
class FaultsApiTest {

    private static final Object[] QUESTION = { "granularity", "minute", "timeout", "4s", "limit", "1000" };
    private static final String SHARD = "default#clicks#minute#3";
    private static final int ITEMS = 200;

    FaultProxy proxy;

    @Inject
    DynamoDbAsyncClient client;

    @Inject
    Datasets datasets;

    private final CompletableFuture<Void> release = new CompletableFuture<>();

    @BeforeEach
    void write() {
        proxy.use(FaultPlan.none());
        Aggregated clicks = new Aggregated("default", datasets.named("clicks").orElseThrow(), new SplittableRandom(1));
        for (int i = 0; i < ITEMS; i++) {
            clicks.event(Label.of("https://example.org/"), Instant.parse("2026-11-20T10:00:00Z").plusSeconds(60L * i), "1");
        }
        clicks.writeTo(client, "windrow");
    }

    @AfterEach
    void letGo() {
        release.complete(null);
        proxy.use(FaultPlan.none());
        Awaitility.await().atMost(Duration.ofSeconds(20)).untilAsserted(() -> assertThat(gauges()).containsOnly(0.0));
    }

    @Test
    void aHangingShardIsToldWithinTheDeadline() {
        proxy.use(only(SHARD, new Fault.Hang(release)));

        Instant asked = Instant.now();
        JsonPath page = get("clicks/buckets", QUESTION).jsonPath();

        assertThat(Duration.between(asked, Instant.now())).isLessThan(Duration.ofSeconds(10));
        assertThat(page.getBoolean("complete")).isFalse();
        assertThat(page.getList("warnings.reason")).containsExactly("timed-out");
        assertThat(page.getList("warnings[0].shards")).containsExactly(SHARD);
        assertThat(page.getList("items")).hasSizeBetween(ITEMS / 2, ITEMS - 1);
    }

    @Test
    void incompleteAnswersAreNotKept() {
        proxy.use(only(SHARD, DynamoDbFaults.internalServerError()));

        assertThat(get("clicks/buckets", QUESTION).header("Cache-Control")).isEqualTo("no-store");
    }

    @Test
    void aFailedShardIsTriedAgainAndThenTold() {
        AtomicInteger tries = new AtomicInteger();
        Fault fault = DynamoDbFaults.internalServerError();
        proxy.use(request -> {
            boolean shard = request.partitionKey().filter(SHARD::equals).isPresent();
            tries.addAndGet(shard ? 1 : 0);
            return shard ? fault : new Fault.Pass();
        });

        JsonPath page = get("clicks/buckets", "granularity", "minute", "limit", "1000").jsonPath();

        assertThat(page.getList("warnings.reason")).containsExactly("unavailable");
        assertThat(tries.get()).isEqualTo(4);
    }

    @Test
    void whatPassesIsNotTold() {
        AtomicInteger throttled = new AtomicInteger();
        proxy.use(request -> throttled.getAndIncrement() < 5 ? DynamoDbFaults.throughputExceeded() : new Fault.Pass());

        JsonPath page = get("clicks/buckets", "granularity", "minute", "limit", "1000").jsonPath();

        assertThat(page.getBoolean("complete")).isTrue();
        assertThat(page.getList("items")).hasSize(ITEMS);
    }

    @Test
    void whereAWholeAnswerIsAskedForAFailedShardIsAProblem() {
        proxy.use(only(SHARD, DynamoDbFaults.internalServerError()));

        Response problem = ask("clicks/buckets", "granularity", "minute", "partial", "false");

        assertThat(problem.statusCode()).isEqualTo(503);
        assertThat(problem.header("Retry-After")).isEqualTo("1");
        assertThat(problem.jsonPath().getString("type")).endsWith("/unavailable");
        assertThat(ask("clicks/buckets", "granularity", "minute", "format", "csv").statusCode()).isEqualTo(503);
        assertThat(get("clicks/buckets", "granularity", "minute", "format", "ndjson").asString())
                .contains("{\"end\":{\"complete\":false").contains(SHARD);
    }

    @Test
    void noShardAtAllIsAProblem() {
        proxy.use(FaultPlan.always(new Fault.Hang(release)).onlyFor("Query"));

        Response problem = ask("clicks/totals", "label", "https://example.org/", "timeout", "300ms");

        assertThat(problem.statusCode()).isEqualTo(504);
        assertThat(problem.jsonPath().getString("type")).endsWith("/timed-out");
    }

    @Test
    void aClientThatGoesAwayLeavesNoReadRunning() {
        proxy.use(FaultPlan.always(new Fault.Hang(release)).onlyFor("Query"));
        CompletableFuture<HttpResponse<String>> asked = begin("clicks/buckets?granularity=minute&timeout=30s");
        Awaitility.await().untilAsserted(() -> assertThat(gauges()).contains(10.0));

        asked.cancel(true);

        Awaitility.await().atMost(Duration.ofSeconds(5)).untilAsserted(() -> assertThat(gauges()).containsOnly(0.0));
    }

    @Test
    void moreThanTheServerTakesOnIsRefusedAtOnce() {
        proxy.use(FaultPlan.always(new Fault.Hang(release)).onlyFor("Query"));
        List<CompletableFuture<HttpResponse<String>>> asked = new ArrayList<>();
        for (int i = 0; i < 6; i++) {
            asked.add(begin("clicks/buckets?granularity=minute&timeout=30s"));
        }
        Awaitility.await().untilAsserted(() -> assertThat(gauges()).contains(4.0, 2.0));

        Response refused = ask("clicks/totals", "label", "a");

        assertThat(refused.statusCode()).isEqualTo(503);
        assertThat(refused.jsonPath().getString("type")).endsWith("/overloaded");
        assertThat(refused.header("Retry-After")).isEqualTo("1");
        asked.forEach(each -> each.cancel(true));
    }

    private static FaultPlan only(String partitionKey, Fault fault) {
        return request -> request.partitionKey().filter(partitionKey::equals).isPresent() ? fault : new Fault.Pass();
    }

    private static CompletableFuture<HttpResponse<String>> begin(String query) {
        int port = ConfigProvider.getConfig().getValue("quarkus.http.test-port", Integer.class);
        return HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build().sendAsync(
                HttpRequest.newBuilder(URI.create("http://localhost:" + port + "/api/v1/datasets/" + query)).build(),
                HttpResponse.BodyHandlers.ofString());
    }

    /** Reads and answers under way and waiting. */
    private static List<Double> gauges() {
        return given().get("/q/metrics").asString().lines()
                .filter(line -> line.startsWith("windrow_gather_")
                        && (line.contains("_in_flight") || line.contains("_waiting")))
                .map(line -> Double.valueOf(line.substring(line.lastIndexOf(' ') + 1))).toList();
    }
}
