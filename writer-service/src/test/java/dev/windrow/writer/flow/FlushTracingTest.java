package dev.windrow.writer.flow;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;

import org.junit.jupiter.api.Test;

import dev.windrow.reason.Reason;
import dev.windrow.writer.aggregate.SeriesBatch;
import dev.windrow.writer.inflight.pending.ContributionOutcome;
import dev.windrow.writer.message.Message;
import dev.windrow.writer.message.MessageBody;
import dev.windrow.writer.message.SourceQueue;
import dev.windrow.writer.testing.TestContributions;
import io.opentelemetry.sdk.OpenTelemetrySdk;
import io.opentelemetry.sdk.testing.exporter.InMemorySpanExporter;
import io.opentelemetry.sdk.trace.SdkTracerProvider;
import io.opentelemetry.sdk.trace.data.SpanData;
import io.opentelemetry.sdk.trace.export.SimpleSpanProcessor;

class FlushTracingTest {

    private static final Instant SENT = Instant.parse("2026-11-20T10:31:40Z");
    private static final String TRACE = "0af7651916cd43dd8448eb211c80319c";

    private final InMemorySpanExporter exporter = InMemorySpanExporter.create();
    private final FlushTracing tracing = FlushTracing.with(OpenTelemetrySdk.builder().setTracerProvider(
            SdkTracerProvider.builder().addSpanProcessor(SimpleSpanProcessor.create(exporter)).build()).build());
    private final TestContributions shares = new TestContributions("""
            windrow:
              datasets:
                hits:
                  event-type: hit
                  label: [page]
                  granularities: [day]
                  measures: {hits: {type: count}}
            """);

    @Test
    void makesOneSpanForAFlushLinkedToItsMessages() {
        // Given
        SeriesBatch batch = new SeriesBatch(shares.of(List.of(
                message("a", Map.of("traceparent", "00-" + TRACE + "-b7ad6b7169203331-01")),
                message("b", Map.of()), message("c", Map.of("traceparent", "nonsense")))));

        // When
        tracing.end(tracing.begin(batch), List.of(ContributionOutcome.APPLIED, ContributionOutcome.DUPLICATE,
                new ContributionOutcome.Failed(Reason.THROTTLED, "")));

        // Then
        SpanData span = exporter.getFinishedSpanItems().get(0);
        assertThat(span.getName()).isEqualTo("flush hits");
        assertThat(span.getParentSpanContext().isValid()).isFalse();
        assertThat(span.getLinks()).singleElement()
                .satisfies(link -> assertThat(link.getSpanContext().getTraceId()).isEqualTo(TRACE));
        assertThat(span.getStatus().getDescription()).isEqualTo("throttled");
    }

    @Test
    void tracesNothingWhileItIsOff() {
        assertThat(FlushTracing.off().begin(new SeriesBatch(shares.of(message("a", Map.of())))).getSpanContext().isValid())
                .isFalse();
    }

    private static Message message(String id, Map<String, String> attributes) {
        SourceQueue queue = new SourceQueue("q", "http://127.0.0.1/q", false, Duration.ofSeconds(30), Duration.ofDays(4), null);
        String body = "{\"type\":\"hit\",\"time\":\"2026-11-20T10:00:00Z\",\"attributes\":{\"page\":\"p\"}}";
        return new Message(queue, id, "receipt", MessageBody.of(body), attributes, SENT, SENT, 1, null);
    }
}
