package dev.windrow.gather.datasets;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import dev.windrow.gather.http.RawHttp;
import dev.windrow.gather.http.RawHttp.Answer;
import dev.windrow.gather.testing.Aggregated;
import dev.windrow.gather.testing.FaultyTable;
import dev.windrow.gather.testing.ManagementPort;
import dev.windrow.gather.testing.TableTest;
import dev.windrow.local.fault.Fault;
import dev.windrow.local.fault.FaultPlan;
import dev.windrow.local.fault.FaultProxy;
import dev.windrow.table.Label;
import dev.windrow.testing.Patience;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.junit.QuarkusTest;
import io.smallrye.mutiny.infrastructure.Infrastructure;

/** Requests are answered or refused by their deadline while every worker thread is busy, whatever they wait for. */
@QuarkusTest
@Tag("slow")
@QuarkusTestResource(value = LateAnswersApiTest.FewWorkers.class, restrictToAnnotatedClass = true)
class LateAnswersApiTest extends TableTest {

    private static final int WORKERS = 4;
    private static final String API = "/api/v1/datasets/";
    private static final String RANGE = "&from=2026-11-20T10:00:00Z&to=2026-11-20T12:00:00Z&timeout=200ms";

    FaultProxy proxy;

    private final RawHttp http = new RawHttp();
    private final CompletableFuture<Void> release = new CompletableFuture<>();
    private final CountDownLatch done = new CountDownLatch(1);

    public static final class FewWorkers extends FaultyTable {

        @Override
        protected Map<String, String> bounds() {
            Map<String, String> settings = new HashMap<>(super.bounds());
            settings.put("quarkus.thread-pool.max-threads", String.valueOf(WORKERS));
            return settings;
        }
    }

    @BeforeEach
    void keepAllWorkersBusy() throws InterruptedException {
        Aggregated clicks = events("default", "clicks");
        clicks.event(Label.of("https://example.org/"), Instant.parse("2026-11-20T10:00:00Z"), "1");
        clicks.writeTo(client, "windrow");
        Awaitility.await().atMost(Patience.LIMIT).until(ManagementPort::isReady);
        // So that neither a connection nor credentials are still missing.
        assertThat(http.get(API + "clicks/totals?label=a").status()).isEqualTo(200);
        CountDownLatch busy = new CountDownLatch(WORKERS);
        for (int i = 0; i < WORKERS; i++) {
            Infrastructure.getDefaultWorkerPool().execute(() -> {
                busy.countDown();
                try {
                    done.await();
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
            });
        }
        assertThat(busy.await(Patience.LIMIT.toSeconds(), TimeUnit.SECONDS)).isTrue();
    }

    @AfterEach
    void letGo() {
        done.countDown();
        release.complete(null);
        proxy.use(FaultPlan.none());
        Awaitility.await().atMost(Patience.LIMIT).untilAsserted(() -> {
            assertThat(ManagementPort.sum("windrow_gather_", "_in_flight")).isZero();
            assertThat(ManagementPort.sum("windrow_gather_", "_waiting")).isZero();
        });
    }

    private void hang(String operation) {
        proxy.use(FaultPlan.always(new Fault.Hang(release)).onlyFor(operation));
    }

    @ParameterizedTest
    @ValueSource(strings = { "totals?label=a", "compare?label=a", "series?label=a&granularity=minute",
            "series?group=top&by=events&granularity=minute", "top?by=events", "top?by=events&format=csv",
            "busiest?by=events&granularity=minute",
            "buckets?granularity=minute", "buckets?granularity=minute&format=ndjson" })
    void aTableThatHangs(String question) {
        hang("Query");

        Answer late = http.get(API + "clicks/" + question + RANGE);

        assertThat(late.status()).as(late.body()).isEqualTo(504);
        assertThat(late.body()).contains("timed-out");
    }

    @Test
    @Tag("prometheus")
    void aTableThatHangsForPrometheus() {
        hang("Query");

        Answer late = http.get("/api/v1/prometheus/api/v1/query?query=windrow_clicks_events&time=1795170600&timeout=200ms");

        assertThat(late.status()).as(late.body()).isEqualTo(503);
        assertThat(late.body()).contains("timed-out");
    }

    /** The groups are picked on a worker thread. */
    @ParameterizedTest
    @ValueSource(strings = { "top?by=events", "series?group=top&by=events&granularity=minute" })
    void aWorkerThatIsNotFree(String question) {
        Answer late = http.get(API + "clicks/" + question + RANGE);

        assertThat(late.status()).as(late.body()).isEqualTo(504);
        assertThat(late.body()).contains("timed-out");
    }

    /** They are read before the query, which does without them. */
    @Test
    void lanesAndRegisteredDatasetsThatHang() {
        hang("BatchGetItem");

        // Lanes that were read in the last second are not read again.
        Awaitility.await().atMost(Patience.LIMIT).untilAsserted(() -> {
            Answer answer = http.get(API + "clicks/totals?label=a&timeout=20s");
            assertThat(answer.status()).as(answer.body()).isEqualTo(200);
            assertThat(answer.body()).contains("lanes could not be read");
        });
    }

    /** Its address names the timeout, so that the time for reading the body counts too. */
    @Test
    void aBodyThatDoesNotEnd() {
        Answer late = http.request("POST", API + "clicks/totals?timeout=200ms", "{", "Content-Type: application/json",
                "Content-Length: 100");

        assertThat(late.status()).as(late.body()).isEqualTo(504);
        assertThat(late.isProblem()).isTrue();
        assertThat(late.body()).contains("timed-out");
        assertThat(late.header("Connection")).as("the rest of the body is no request").hasValue("close");
    }
}
