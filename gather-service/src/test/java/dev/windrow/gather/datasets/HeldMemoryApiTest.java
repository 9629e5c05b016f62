package dev.windrow.gather.datasets;

import static dev.windrow.gather.datasets.Api.ask;
import static io.restassured.RestAssured.given;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.Set;

import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.inject.Alternative;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Inject;
import jakarta.inject.Singleton;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import dev.windrow.gather.read.HeldMemory;
import dev.windrow.gather.testing.Aggregated;
import dev.windrow.gather.testing.TableTest;
import dev.windrow.table.Label;
import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.QuarkusTestProfile;
import io.quarkus.test.junit.TestProfile;
import io.restassured.response.Response;

/** Queries that would hold more than a small heap has room for. */
@QuarkusTest
@TestProfile(HeldMemoryApiTest.SmallHeap.class)
@Tag("slow")
class HeldMemoryApiTest extends TableTest {

    private static final int MANY_LABELS = 300;

    @Inject
    HeldMemory memory;

    /** With room for some 150 labels. */
    public static final class SmallHeap implements QuarkusTestProfile {

        @Override
        public Set<Class<?>> getEnabledAlternatives() {
            return Set.of(SmallMemory.class);
        }
    }

    @Alternative
    @ApplicationScoped
    static class SmallMemory {

        @Produces
        @Singleton
        HeldMemory memory() {
            return new HeldMemory(150_000);
        }
    }

    @BeforeEach
    void write() {
        Aggregated clicks = events("wide", "clicks");
        for (int i = 0; i < MANY_LABELS; i++) {
            clicks.event(Label.of("label " + i), Instant.parse("2026-11-20T10:00:00Z"), "1");
        }
        clicks.writeTo(client, "windrow");
    }

    @Test
    @Tag("prometheus")
    void aQueryBeyondTheRoomIsOverloadedAndOthersAreAnswered() {
        // When
        Response top = top("label");
        Response position = ask("clicks/position", "tenant", "wide", "by", "events", "label", "label 7", "from",
                "2026-11-20T10:00:00Z", "to", "2026-11-20T11:00:00Z");
        Response series = ask("clicks/series", "tenant", "wide", "granularity", "hour", "group", "top", "by", "events", "from",
                "2026-11-20T10:00:00Z", "to", "2026-11-20T11:00:00Z");
        Response samples = given().queryParam("tenant", "wide").queryParam("query", "increase(windrow_clicks_events[1h])")
                .queryParam("time", "2026-11-20T11:00:00Z").get("/api/v1/prometheus/api/v1/query");
        Response few = top("label 12");

        // Then
        requireOverloaded(top);
        requireOverloaded(position);
        requireOverloaded(series);
        assertThat(samples.statusCode()).isEqualTo(503);
        assertThat(few.statusCode()).isEqualTo(200);
        assertThat(few.jsonPath().getList("items")).hasSize(10);
        assertThat(memory.held()).isZero();
    }

    private static Response top(String prefix) {
        return ask("clicks/top", "tenant", "wide", "by", "events", "prefix", prefix, "from", "2026-11-20T10:00:00Z", "to",
                "2026-11-20T11:00:00Z");
    }

    private static void requireOverloaded(Response response) {
        assertThat(response.statusCode()).isEqualTo(503);
        assertThat(response.jsonPath().getString("type")).isEqualTo("/api/v1/problems/overloaded");
        assertThat(response.header("Retry-After")).isNotNull();
    }
}
