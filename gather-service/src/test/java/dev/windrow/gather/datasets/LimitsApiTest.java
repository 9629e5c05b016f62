package dev.windrow.gather.datasets;

import static dev.windrow.gather.datasets.Api.ask;
import static dev.windrow.gather.datasets.Api.problem;
import static io.restassured.RestAssured.given;
import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.net.Socket;
import java.time.Clock;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;

import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.inject.Alternative;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Inject;
import jakarta.inject.Singleton;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import dev.windrow.gather.fanout.HeldMemory;
import dev.windrow.gather.testing.Aggregated;
import dev.windrow.gather.testing.TableTest;
import dev.windrow.table.Label;
import dev.windrow.testing.Patience;
import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.QuarkusTestProfile;
import io.quarkus.test.junit.TestProfile;
import io.restassured.RestAssured;
import io.restassured.response.Response;

/**
 * Queries that would hold more memory than a small heap has are refused. Limits apply to all selections of a PromQL expression
 * together, and equal ones count once.
 */
@QuarkusTest
@TestProfile(LimitsApiTest.SmallLimits.class)
@Tag("prometheus")
@Tag("slow")
class LimitsApiTest extends TableTest {

    /** Whether the service has an internal fault. */
    private static final AtomicBoolean BROKEN = new AtomicBoolean();

    /** Room for 500 values, and for about 260 series of one value. */
    public static final class SmallLimits implements QuarkusTestProfile {

        @Override
        public Map<String, String> getConfigOverrides() {
            return Map.of("windrow.gather.api.prometheus.max-samples", "500");
        }

        @Override
        public Set<Class<?>> getEnabledAlternatives() {
            return Set.of(Small.class);
        }
    }

    @Alternative
    @ApplicationScoped
    static class Small {

        @Produces
        @Singleton
        HeldMemory memory() {
            return new HeldMemory(150_000);
        }

        @Produces
        @Singleton
        Clock clock() {
            return ((InstantSource) () -> {
                if (BROKEN.get()) {
                    throw new IllegalStateException("broken for a test");
                }
                return Instant.now();
            }).withZone(ZoneOffset.UTC);
        }
    }

    @Inject
    HeldMemory memory;

    @BeforeEach
    void write() {
        Aggregated clicks = events("limits", "clicks");
        for (int i = 100; i < 300; i++) {
            clicks.event(Label.of("label " + i), Instant.parse("2026-11-20T10:00:00Z"), "1");
        }
        clicks.writeTo(client, "windrow");
    }

    private static Response range(String query, int steps) {
        return given().queryParam("tenant", "limits").queryParam("query", query).queryParam("start", "2026-11-20T11:00:00Z")
                .queryParam("end", Instant.parse("2026-11-20T11:00:00Z").plusSeconds(60L * (steps - 1)).toString())
                .queryParam("step", "60").get("/api/v1/prometheus/api/v1/query_range");
    }

    /** Ten series for each selection. */
    @ParameterizedTest
    @CsvSource(delimiter = ';', value = {
            "count(increase(windrow_clicks_events{referrer=~'label 10.*'}[1h])); 50",
            "count(increase(windrow_clicks_events{referrer=~'label 10.*'}[1h]) / increase(windrow_clicks_events{referrer=~'label 10.*'}[1h])); 50",
            "count(increase(windrow_clicks_events{referrer=~'label 10.*'}[1h]) / increase(windrow_clicks_bytes{referrer=~'label 10.*'}[1h])); 25",
            "absent(increase(windrow_clicks_events{referrer=~'label 10.*'}[1h]) / increase(windrow_clicks_events{referrer=~'label 10.*'}[1h] offset 1m)); 25",
            "count(increase(windrow_clicks_events{referrer=~'label 10.*'}[1h])) / sum(increase(windrow_clicks_events[1h])); 45",
            "count(increase(windrow_clicks_events{referrer=~'label 10.*'}[1h])) - count(rate(windrow_clicks_events{referrer=~'label 10.*'}[1h])); 25"
    })
    void valuesOfAllSelectionsTogetherAreLimited(String query, int most) {
        Response fits = range(query, most);
        Response tooMany = range(query, most + 1);

        assertThat(fits.statusCode()).as(fits.asString()).isEqualTo(200);
        assertThat(tooMany.statusCode()).isEqualTo(400);
        assertThat(tooMany.jsonPath().getString("errorType")).isEqualTo("bad_data");
        assertThat(tooMany.jsonPath().getString("error")).contains("expected at most 500 samples");
        assertThat(memory.held()).isZero();
    }

    /** Two hundred series fit once. Half of them fit twice, but not together with a vector computed from them. */
    @ParameterizedTest
    @CsvSource(delimiter = ';', value = {
            "count(increase(windrow_clicks_events[1d])); 200",
            "count(increase(windrow_clicks_events[1d]) / increase(windrow_clicks_events[1d])); 200",
            "count(increase(windrow_clicks_events[1d]) / increase(windrow_clicks_bytes[1d])); 503",
            "count(increase(windrow_clicks_events[1d])) / count(increase(windrow_clicks_bytes[1d])); 503",
            "sum(increase(windrow_clicks_events[1d])) / sum(increase(windrow_clicks_bytes[1d])); 200",
            "count(increase(windrow_clicks_events{referrer=~'label 1.*|label 20.*|label 21.*'}[1d])"
                    + " / increase(windrow_clicks_bytes{referrer=~'label 1.*|label 20.*|label 21.*'}[1d])); 200",
            "count(increase(windrow_clicks_events{referrer=~'label 1.*|label 20.*|label 21.*'}[1d]) * 2"
                    + " / increase(windrow_clicks_bytes{referrer=~'label 1.*|label 20.*|label 21.*'}[1d])); 503" })
    void memoryOfAllSelectionsTogetherIsLimited(String query, int status) {
        Response answer = given().queryParam("tenant", "limits").queryParam("query", query)
                .queryParam("time", "2026-11-20T11:00:00Z").get("/api/v1/prometheus/api/v1/query");

        assertThat(answer.statusCode()).as(answer.asString()).isEqualTo(status);
        if (status == 503) {
            assertThat(answer.jsonPath().getString("errorType")).isEqualTo("unavailable");
            assertThat(answer.jsonPath().getString("reason")).isEqualTo("overloaded");
            assertThat(answer.header("Retry-After")).isEqualTo("1");
        }
        assertThat(memory.held()).isZero();
    }

    /** Each takes its share from its first byte on, and gives it back however it ends. */
    @Test
    void memoryOfBodiesThatDoNotEndIsLimited() throws IOException {
        String head = "POST /api/v1/datasets/clicks/totals HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
                + "Content-Length: 100\r\n\r\n{";
        try (Socket first = new Socket("localhost", RestAssured.port);
                Socket second = new Socket("localhost", RestAssured.port)) {
            // Given
            first.getOutputStream().write(head.getBytes(US_ASCII));
            second.getOutputStream().write(head.getBytes(US_ASCII));
            await().atMost(Patience.LIMIT).until(() -> memory.held() > 100_000);

            // When
            Response third = given().contentType("application/json").body("{}").post("/api/v1/datasets/clicks/totals");

            // Then
            problem(third, 503, "overloaded");
        }
        await().atMost(Patience.LIMIT).until(() -> memory.held() == 0);
    }

    /** Each metric has two hundred series. */
    @ParameterizedTest
    @CsvSource({ "windrow_clicks_events, 200", "windrow_clicks_events|windrow_clicks_bytes, 503",
            "windrow_clicks_.*, 503" })
    void memoryOfListedSeriesOfAllMetricsTogetherIsLimited(String names, int status) {
        Response answer = given().queryParam("tenant", "limits").queryParam("match[]", "{__name__=~'" + names + "'}")
                .get("/api/v1/prometheus/api/v1/series");

        assertThat(answer.statusCode()).as(answer.asString()).isEqualTo(status);
        assertThat(memory.held()).isZero();
    }

    /** Prometheus' clients read an error's text from a response with 422, but not with 500. */
    @Test
    void aFaultOfTheServiceHasTheFormOfPrometheus() {
        BROKEN.set(true);
        Response answer;
        try {
            answer = range("windrow_clicks_events", 1);
        } finally {
            BROKEN.set(false);
        }

        assertThat(answer.statusCode()).isEqualTo(422);
        assertThat(answer.contentType()).startsWith("application/json");
        assertThat(answer.jsonPath().getMap("")).isEqualTo(Map.of("status", "error", "errorType", "internal", "error",
                "see the server's log", "reason", "internal"));
    }

    @Test
    void aQueryBeyondTheRoomIsOverloadedAndOthersAreAnswered() {
        // When
        Response top = top("label");
        Response position = ask("clicks/position", "tenant", "limits", "by", "events", "label", "label 107", "from",
                "2026-11-20T10:00:00Z", "to", "2026-11-20T11:00:00Z");
        Response series = ask("clicks/series", "tenant", "limits", "granularity", "hour", "group", "top", "by", "events",
                "from",
                "2026-11-20T10:00:00Z", "to", "2026-11-20T11:00:00Z");
        Response few = top("label 12");

        // Then
        for (Response refused : List.of(top, position, series)) {
            problem(refused, 503, "overloaded");
            assertThat(refused.header("Retry-After")).isNotNull();
        }
        assertThat(few.statusCode()).isEqualTo(200);
        assertThat(few.jsonPath().getList("items")).hasSize(10);
        assertThat(memory.held()).isZero();
    }

    private static Response top(String prefix) {
        return ask("clicks/top", "tenant", "limits", "by", "events", "prefix", prefix, "from", "2026-11-20T10:00:00Z", "to",
                "2026-11-20T11:00:00Z");
    }
}
