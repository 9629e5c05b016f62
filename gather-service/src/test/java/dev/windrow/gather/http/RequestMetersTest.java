package dev.windrow.gather.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.util.List;

import jakarta.inject.Inject;

import org.junit.jupiter.api.Test;

import dev.windrow.testing.Patience;
import io.micrometer.core.instrument.MeterRegistry;
import io.quarkus.test.junit.QuarkusTest;

/** Request meters are never removed, so paths made up by clients must not create any. */
@QuarkusTest
class RequestMetersTest {

    private static final String REQUESTS = "http.server.requests";
    /** More paths than the framework measures before it stops. */
    private static final int PATHS = 120;

    @Inject
    MeterRegistry registry;

    @Test
    void pathsThatAreNoneLeaveRoomForThoseThatAre() {
        RawHttp http = new RawHttp();

        // When
        for (int i = 0; i < PATHS; i++) {
            http.get("/api/v1/x" + i + ";", "Connection: close");
            http.get("/x" + i + "//", "Connection: close");
            http.request("OPTIONS", "/api/v1/datasets/x" + i + "/top", "", "Connection: close");
            http.request("DELETE", "/api/v1/datasets/x" + i + "/top", "", "Connection: close");
        }
        int status = http.get("/api/v1/datasets/clicks/busiest?granularity=hour&by=events&last=1h", "Connection: close")
                .status();

        // Then
        assertThat(status).isEqualTo(200);
        await().atMost(Patience.LIMIT).untilAsserted(() -> assertThat(registry.find(REQUESTS)
                .tags("method", "GET", "uri", "/api/v1/datasets/{dataset}/busiest", "status", "200").timers()).hasSize(1));
        List<String> uris = registry.find(REQUESTS).timers().stream().map(timer -> timer.getId().getTag("uri")).toList();
        assertThat(uris).contains("/api/other").noneMatch(uri -> uri.contains("/x"));
        assertThat(registry.find(REQUESTS).tags("uri", "/api/other", "status", "400").timers()).isNotEmpty();
    }
}
