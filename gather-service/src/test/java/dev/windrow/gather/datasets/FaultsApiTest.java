package dev.windrow.gather.datasets;

import static dev.windrow.gather.datasets.Api.ask;
import static dev.windrow.gather.datasets.Api.get;
import static dev.windrow.gather.datasets.Api.problem;
import static dev.windrow.gather.datasets.Api.with;
import static io.restassured.RestAssured.given;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

import org.awaitility.Awaitility;
import org.eclipse.microprofile.config.ConfigProvider;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

import dev.windrow.gather.testing.Aggregated;
import dev.windrow.gather.testing.FaultyTable;
import dev.windrow.gather.testing.ManagementPort;
import dev.windrow.gather.testing.TableTest;
import dev.windrow.local.fault.DynamoDbFaults;
import dev.windrow.local.fault.Fault;
import dev.windrow.local.fault.FaultPlan;
import dev.windrow.local.fault.FaultProxy;
import dev.windrow.local.fault.ProxiedRequest;
import dev.windrow.table.Label;
import dev.windrow.testing.Patience;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.path.json.JsonPath;
import io.restassured.response.Response;

/** Responses when shards hang, fail or are too slow, with a DynamoDB that injects these faults. */
@QuarkusTest
@Tag("slow")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@QuarkusTestResource(value = FaultyTable.class, restrictToAnnotatedClass = true)
class FaultsApiTest extends TableTest {

    private static final Object[] QUESTION = { "granularity", "minute", "timeout", "4s", "limit", "1000" };
    private static final String SHARD = "default#clicks#minute#3";
    private static final String STREAMS = "windrow_gather_streams_in_flight";
    private static final int ITEMS = 200;
    private static final int MUCH = 6_000;

    FaultProxy proxy;

    private CompletableFuture<Void> release = new CompletableFuture<>();

    @BeforeAll
    void write() {
        Aggregated clicks = events("default", "clicks");
        for (int i = 0; i < ITEMS; i++) {
            clicks.event(Label.of("https://example.org/"), Instant.parse("2026-11-20T10:00:00Z").plusSeconds(60L * i), "1");
        }
        clicks.writeTo(client, "windrow");
    }

    @BeforeEach
    void awaitReadiness() {
        release = new CompletableFuture<>();
        Awaitility.await().atMost(Patience.LIMIT)
                .until(ManagementPort::isReady);
    }

    @AfterEach
    void letGo() {
        release.complete(null);
        proxy.use(FaultPlan.none());
        Awaitility.await().atMost(Patience.LIMIT).untilAsserted(() -> {
            assertThat(ManagementPort.sum("windrow_gather_", "_in_flight")).isZero();
            assertThat(ManagementPort.sum("windrow_gather_", "_waiting")).isZero();
        });
    }

    @Test
    void incompleteAnswersAreCountedAndNotKept() {
        proxy.use(only(SHARD, DynamoDbFaults.internalServerError()));
        double before = ManagementPort.sum("windrow_gather_incomplete_answers_total{", "reason=\"unavailable\"");

        Response incomplete = get("clicks/buckets", QUESTION);

        assertThat(incomplete.jsonPath().getBoolean("complete")).isFalse();
        assertThat(incomplete.header("Cache-Control")).isEqualTo("no-store");
        problem(ask("clicks/buckets", "granularity", "minute", "partial", "false"), 503, "unavailable");
        assertThat(ManagementPort.sum("windrow_gather_incomplete_answers_total{", "reason=\"unavailable\""))
                .as("a problem is no answer").isEqualTo(before + 1);
    }

    @Test
    void csvIsAProblemWhereAShardFailed() {
        proxy.use(only(SHARD, DynamoDbFaults.internalServerError()));

        problem(ask("clicks/buckets", "granularity", "minute", "format", "csv"), 503, "unavailable");
        // Far more rows than one write sends
        problem(ask("clicks/series", "granularity", "minute", "from", "2026-11-20T00:00:00Z", "to", "2026-11-21T00:00:00Z",
                "fill", "zero", "format", "csv"), 503, "unavailable");
    }

    @Test
    void csvOfAFewRowsIsAProblemWithTheReasonOfTheFailedShard() {
        for (String query : List.of("top?by=events", "series?granularity=minute", "busiest?by=events&granularity=minute")) {
            // Given
            proxy.use(request -> isQueryOf(request, "#3") ? new Fault.Hang(release) : new Fault.Pass());

            // When
            Response late = given().get("/api/v1/datasets/clicks/" + query
                    + "&from=2026-11-20T10:00:00Z&to=2026-11-20T13:20:00Z&format=csv&timeout=1s");

            // Then
            assertThat(problem(late, 504, "timed-out").getString("detail")).isEqualTo("a shard failed (timed-out), and CSV "
                    + "cannot mark an answer as incomplete; use JSON or NDJSON");
        }
        // Given
        proxy.use(request -> isQueryOf(request, "#3") ? DynamoDbFaults.accessDenied() : new Fault.Pass());

        // When
        Response denied = ask("clicks/top", "by", "events", "format", "csv");

        // Then
        problem(denied, 502, "access-denied");
    }

    private static boolean isQueryOf(ProxiedRequest request, String shard) {
        return request.partitionKey().filter(key -> key.startsWith("default#clicks#") && key.endsWith(shard)).isPresent();
    }

    @Test
    @Tag("prometheus")
    void whatAwsSaysIsForTheLogOnly() {
        // Given
        proxy.use(FaultPlan.always(DynamoDbFaults.clientError("AccessDeniedException",
                "User: arn:aws:sts::111122223333:assumed-role/x is not authorized to perform: dynamodb:Query"))
                .onlyFor("Query"));

        // When
        Response totals = ask("clicks/totals", "label", "https://example.org/");
        Response prometheus = given().queryParam("query", "sum(increase(windrow_clicks_events[1h]))")
                .queryParam("time", "1795170600").get("/api/v1/prometheus/api/v1/query");
        String live = LiveApiTest.first("clicks/live?granularity=minute&label=a", "data:");

        // Then
        assertThat(problem(totals, 502, "access-denied").getString("detail"))
                .isEqualTo("the service's role lacks a permission");
        assertThat(prometheus.asString()).contains("access-denied").doesNotContain("arn:", "111122223333");
        assertThat(live).contains("access-denied").doesNotContain("arn:", "111122223333");
    }

    @Test
    void queriesAreAnsweredThoughLanesCannotBeRead() {
        get("clicks/buckets", QUESTION);
        proxy.use(FaultPlan.always(DynamoDbFaults.accessDenied()).onlyFor("BatchGetItem"));

        Response answer = get("clicks/totals", "label", "https://example.org/");

        assertThat(answer.jsonPath().getBoolean("complete")).isTrue();
        assertThat(answer.jsonPath().getInt("measures.events")).isEqualTo(ITEMS);
        assertThat(answer.jsonPath().getList("warnings.reason")).containsExactly("access-denied");
        assertThat(answer.jsonPath().getString("warnings[0].message"))
                .startsWith(
                        "the journal's lanes could not be read: the service's role lacks a permission; asOf is based on the lanes read at ");
        Instant asOf = Instant.parse(answer.jsonPath().getString("asOf"));
        assertThat(get("clicks/totals", "label", "https://example.org/").jsonPath().getString("asOf"))
                .as("of the last lanes that could be read").isEqualTo(asOf.toString());
        assertThat(get("clicks/buckets", "granularity", "minute", "format", "csv").statusCode()).isEqualTo(200);
    }

    /** Only one tile of the range can be read, so a sum of it would be wrong. */
    @Test
    void aSumThatLacksAnythingIsAProblemUnlessItIsWelcome() {
        Object[] range = { "label", "https://example.org/", "from", "2026-11-20T10:30:00Z", "to", "2026-11-20T12:30:00Z",
                "timeout", "1s" };
        for (String question : List.of("totals", "compare")) {
            proxy.use(FaultPlan.none().first(1, FaultPlan.always(new Fault.Hang(release))).onlyFor("Query"));

            problem(ask("clicks/" + question, range), 504, "timed-out");
        }
        proxy.use(FaultPlan.none().first(1, FaultPlan.always(new Fault.Hang(release))).onlyFor("Query"));
        assertThat(get("clicks/totals", with(range, "partial", "true")).jsonPath().getBoolean("complete")).isFalse();
    }

    @Test
    void aWholeLabelIsReadFromTheTableAPageWithOneRead() {
        Set<String> read = ConcurrentHashMap.newKeySet();
        AtomicInteger reads = new AtomicInteger();
        proxy.use(request -> {
            request.partitionKey().ifPresent(key -> {
                read.add(key);
                reads.incrementAndGet();
            });
            return new Fault.Pass();
        });
        List<String> starts = new ArrayList<>();
        Object[] query = { "granularity", "minute", "label", "https://example.org/", "limit", "1", "order", "desc" };
        JsonPath page = get("clicks/buckets", query).jsonPath();
        for (int i = 0; i < 3; i++) {
            starts.addAll(page.getList("items.start"));
            page = get("clicks/buckets", with(query, "cursor", page.getString("next"))).jsonPath();
        }

        assertThat(starts).containsExactly("2026-11-20T13:19:00Z", "2026-11-20T13:18:00Z", "2026-11-20T13:17:00Z");
        assertThat(read).containsExactly("default#clicks#https://example.org/#0");
        assertThat(reads.get()).isEqualTo(4);
    }

    /** The client sends a request and then reads nothing. */
    @Tag("slow")
    @Test
    void aReaderWhoDoesNotReadAStreamIsCutOff() throws IOException {
        writeMuch();
        int port = ConfigProvider.getConfig().getValue("quarkus.http.test-port", Integer.class);
        try (Socket client = new Socket()) {
            client.setReceiveBufferSize(2_048);
            client.connect(new InetSocketAddress("localhost", port));
            client.getOutputStream().write(("GET /api/v1/datasets/stock/buckets?tenant=much&format=ndjson HTTP/1.1\r\n"
                    + "Host: localhost\r\n\r\n").getBytes(StandardCharsets.US_ASCII));
            Awaitility.await().atMost(Patience.LIMIT)
                    .untilAsserted(() -> assertThat(ManagementPort.sum(STREAMS, "")).isEqualTo(1.0));

            Awaitility.await().atMost(Patience.LIMIT).untilAsserted(() -> assertThat(ManagementPort.sum(STREAMS, "")).isZero());

            client.setSoTimeout(Math.toIntExact(Patience.LIMIT.toMillis()));
            long received = drained(client.getInputStream());
            assertThat(received).isLessThan(MUCH * 900L);
        }
    }

    private void writeMuch() {
        Aggregated sales = events("much", "stock");
        for (int i = 0; i < MUCH; i++) {
            sales.event(Label.of(i + "x".repeat(900)), Instant.parse("2026-11-20T10:00:00Z"), "1");
        }
        sales.writeTo(client, "windrow");
    }

    /** Reads a connection to its end and returns the number of bytes. */
    private static long drained(InputStream in) throws IOException {
        byte[] buffer = new byte[65_536];
        long all = 0;
        try {
            for (int read = in.read(buffer); read >= 0; read = in.read(buffer)) {
                all += read;
            }
        } catch (SocketException reset) {
            return all;
        }
        return all;
    }

    @Test
    void aTimeoutOfLessThanATimerCanCountIsOverAtOnceAndStopsNobodyElse() {
        for (String timeout : List.of("PT0.0005S", "PT0.000000001S", "1ms", "2ms")) {
            for (int i = 0; i < 10; i++) {
                Response over = ask("clicks/buckets", "granularity", "minute", "timeout", timeout);

                assertThat(over.statusCode()).as(over.asString()).isIn(200, 504);
            }
        }

        assertThat(get("clicks/buckets", QUESTION).jsonPath().getBoolean("complete")).isTrue();
    }

    private static FaultPlan only(String partitionKey, Fault fault) {
        return request -> request.partitionKey().filter(partitionKey::equals).isPresent() ? fault : new Fault.Pass();
    }
}
