package dev.windrow.gather.operate;

import static io.restassured.RestAssured.given;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;

import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Inject;
import jakarta.inject.Singleton;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import dev.windrow.testing.Patience;
import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.sdk.testing.exporter.InMemorySpanExporter;
import io.opentelemetry.sdk.trace.data.SpanData;
import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.QuarkusTestProfile;
import io.quarkus.test.junit.TestProfile;

/** Spans of requests and of their gathers, with tracing on. */
@Tag("slow")
@QuarkusTest
@TestProfile(TracingTest.On.class)
class TracingTest {

    private static final String TRACE = "0af7651916cd43dd8448eb211c80319c";

    @Inject
    InMemorySpanExporter exporter;

    /** Tracing as enabled by an operator, except for the exporter. */
    public static class On implements QuarkusTestProfile {

        @Override
        public Map<String, String> getConfigOverrides() {
            return Map.of("quarkus.otel.sdk.disabled", "false", "quarkus.otel.traces.exporter", "cdi",
                    "quarkus.otel.simple", "true");
        }
    }

    @ApplicationScoped
    static class Exporters {

        @Produces
        @Singleton
        InMemorySpanExporter exporter() {
            return InMemorySpanExporter.create();
        }
    }

    @Test
    void aGatherIsASpanWithinThatOfItsRequestInTheTraceOfTheClient() {
        given().header("traceparent", "00-" + TRACE + "-b7ad6b7169203331-01")
                .get("/api/v1/datasets/clicks/totals?tenant=traced&timeout=30s").then().statusCode(200);

        SpanData request = ended(span -> span.getParentSpanId().equals("b7ad6b7169203331"));
        SpanData gather = ended(span -> span.getName().equals("gather"));
        assertThat(request.getName()).isEqualTo("GET /api/v1/datasets/{dataset}/totals");
        assertThat(gather.getParentSpanId()).isEqualTo(request.getSpanId());
        assertThat(gather.getAttributes().get(AttributeKey.stringKey("windrow.dataset"))).isEqualTo("clicks");
        assertThat(gather.getAttributes().get(AttributeKey.stringKey("windrow.tenant"))).isEqualTo("traced");
        assertThat(gather.getAttributes().get(AttributeKey.longKey("windrow.shards"))).isPositive();
        assertThat(gather.getAttributes().get(AttributeKey.booleanKey("windrow.complete"))).isTrue();
    }

    /** Waits for a span: that of a request ends after its response was sent. */
    private SpanData ended(Predicate<SpanData> wanted) {
        return await().atMost(Patience.LIMIT).until(() -> exporter.getFinishedSpanItems().stream()
                .filter(span -> span.getTraceId().equals(TRACE)).filter(wanted).findFirst(), Optional::isPresent)
                .orElseThrow();
    }
}
