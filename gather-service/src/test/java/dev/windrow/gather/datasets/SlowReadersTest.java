package dev.windrow.gather.datasets;

import static io.restassured.RestAssured.given;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;

import jakarta.inject.Inject;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import dev.windrow.dataset.Datasets;
import dev.windrow.gather.testing.Aggregated;
import dev.windrow.gather.testing.EmbeddedTable;
import dev.windrow.gather.testing.ManagementPort;
import dev.windrow.table.Label;
import dev.windrow.testing.Patience;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.common.http.TestHTTPResource;
import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.QuarkusTestProfile;
import io.quarkus.test.junit.TestProfile;
import software.amazon.awssdk.services.dynamodb.DynamoDbAsyncClient;

/** Many clients that request large streams and never read them, beside clients that do read. */
@QuarkusTest
@QuarkusTestResource(EmbeddedTable.class)
@TestProfile(SlowReadersTest.PatientProfile.class)
@Tag("slow")
class SlowReadersTest {

    /**
     * The embedded table reads large pages slowly, so that few streams run at once. Slow readers must not be cut off before
     * the test is over.
     */
    public static class PatientProfile implements QuarkusTestProfile {

        @Override
        public Map<String, String> getConfigOverrides() {
            return Map.of("test.slow-client-timeout", "5M",
                    "test.attempt-timeout", "25S",
                    "windrow.gather.fanout.hedging.enabled", "false",
                    "test.max-streams", Integer.toString(MAX_STREAMS));
        }
    }

    private static final String TENANT = "slow-readers";
    private static final String STREAM = "GET /api/v1/datasets/stock/buckets?format=ndjson&timeout=30s&tenant=" + TENANT
            + " HTTP/1.1\r\nHost: localhost\r\n\r\n";
    private static final int SLOW_READERS = 130;
    private static final int MAX_STREAMS = 6;
    private static final int QUERIES = 50;
    /** More bytes of answer than the sockets of both sides hold. */
    private static final int LABELS = 4_000;
    private static final int LABEL_LENGTH = 900;

    @Inject
    DynamoDbAsyncClient client;

    @Inject
    Datasets datasets;

    @TestHTTPResource("/")
    URI base;

    private final List<Socket> slowReaders = new ArrayList<>();

    @AfterEach
    void disconnect() throws IOException {
        for (Socket reader : slowReaders) {
            reader.close();
        }
        await().atMost(Patience.LIMIT).untilAsserted(() -> assertThat(streamsInFlight()).isZero());
    }

    @Test
    void clientsThatDoNotReadTheirStreamsDoNotDelayOtherQueries() throws IOException {
        givenMoreThanSocketsHold();
        while (slowReaders.size() < SLOW_READERS) {
            slowReaders.add(requestWithoutReading());
        }
        await().atMost(Patience.LIMIT).untilAsserted(() -> assertThat(streamsInFlight()).isEqualTo(MAX_STREAMS));
        await().atMost(Patience.LIMIT).untilAsserted(() -> assertThat(rejected()).isEqualTo(SLOW_READERS - 2 * MAX_STREAMS));
        // Until the sockets are full, streams keep the embedded table busy, which is slow.
        await().atMost(Patience.LIMIT).untilAsserted(() -> assertThat(readsInFlight()).isZero());

        for (int i = 0; i < QUERIES; i++) {
            given().queryParam("granularity", "hour").queryParam("limit", 10).queryParam("tenant", TENANT)
                    .get("/api/v1/datasets/stock/buckets").then().statusCode(200);
        }

        assertThat(streamsInFlight()).as("streams that slow readers still hold").isEqualTo(MAX_STREAMS);
    }

    private void givenMoreThanSocketsHold() {
        Aggregated sales = new Aggregated(TENANT, datasets.named("stock").orElseThrow(), new SplittableRandom(1));
        for (int i = 0; i < LABELS; i++) {
            sales.event(Label.of(i + "x".repeat(LABEL_LENGTH)), Instant.parse("2026-11-20T10:00:00Z"), "1");
        }
        sales.writeTo(client, "windrow");
    }

    private Socket requestWithoutReading() throws IOException {
        Socket socket = new Socket();
        socket.setReceiveBufferSize(2_048);
        socket.connect(new InetSocketAddress(base.getHost(), base.getPort()));
        socket.getOutputStream().write(STREAM.getBytes(StandardCharsets.US_ASCII));
        return socket;
    }

    private static int streamsInFlight() {
        return metric("windrow_gather_streams_in_flight");
    }

    private static int readsInFlight() {
        return metric("windrow_gather_reads_in_flight") + metric("windrow_gather_reads_waiting");
    }

    private static int rejected() {
        return metric("windrow_gather_problems_total{reason=\"overloaded\"");
    }

    private static int metric(String start) {
        return ManagementPort.metrics().filter(line -> line.startsWith(start))
                .map(line -> (int) Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1))).findFirst().orElse(-1);
    }
}
