package dev.windrow.writer;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.List;
import java.util.Map;

import org.junit.jupiter.api.Test;

import dev.windrow.base.Reason;
import dev.windrow.writer.decode.Message;
import dev.windrow.writer.decode.MessageBody;
import dev.windrow.writer.decode.SourceQueue;
import dev.windrow.writer.journal.JournalMessage;
import dev.windrow.writer.journal.Request;
import dev.windrow.writer.journal.Request.Answer;
import dev.windrow.writer.journal.Request.LaneUpdate;
import dev.windrow.writer.table.JournalRequests;
import dev.windrow.writer.testing.Answering;
import dev.windrow.writer.testing.TestMessage;
import dev.windrow.writer.testing.TestMessages;
import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.trace.StatusCode;
import io.opentelemetry.sdk.OpenTelemetrySdk;
import io.opentelemetry.sdk.testing.exporter.InMemorySpanExporter;
import io.opentelemetry.sdk.trace.SdkTracerProvider;
import io.opentelemetry.sdk.trace.data.SpanData;
import io.opentelemetry.sdk.trace.export.SimpleSpanProcessor;
import io.smallrye.mutiny.Uni;

class ClaimTracingTest {

    private static final Instant SENT = Instant.parse("2026-11-20T10:31:40Z");
    private static final String TRACE = "0af7651916cd43dd8448eb211c80319c";

    private final InMemorySpanExporter exporter = InMemorySpanExporter.create();
    private final ClaimTracing tracing = ClaimTracing.with(OpenTelemetrySdk.builder().setTracerProvider(
            SdkTracerProvider.builder().addSpanProcessor(SimpleSpanProcessor.create(exporter)).build()).build());

    @Test
    void makesOneSpanForAClaimLinkedToItsMessages() {
        // Given
        Request.ClaimMessages claim = claim(message("a", Map.of("traceparent", "00-" + TRACE + "-b7ad6b7169203331-01")),
                message("b", Map.of()), message("c", Map.of("traceparent", "nonsense")));

        // When
        Answer answer = tracing.around(answering(Answer.DONE)).send(claim).await().indefinitely();

        // Then
        assertThat(answer).isSameAs(Answer.DONE);
        SpanData span = exporter.getFinishedSpanItems().get(0);
        assertThat(span.getName()).isEqualTo("claim");
        assertThat(span.getParentSpanContext().isValid()).isFalse();
        assertThat(span.getLinks()).singleElement()
                .satisfies(link -> assertThat(link.getSpanContext().getTraceId()).isEqualTo(TRACE));
        assertThat(span.getAttributes().get(AttributeKey.longKey("windrow.messages"))).isEqualTo(3);
        assertThat(span.getAttributes().get(AttributeKey.booleanKey("windrow.claimed"))).isTrue();
        assertThat(span.getStatus().getStatusCode()).isEqualTo(StatusCode.UNSET);
    }

    @Test
    void showsWhyAClaimIsNeverTaken() {
        tracing.around(answering(new Answer.Refused(Reason.REFUSED, "too large"))).send(claim(message("a", Map.of()))).await()
                .indefinitely();

        assertThat(exporter.getFinishedSpanItems().get(0).getStatus().getDescription()).isEqualTo("refused");
    }

    @Test
    void tracesNothingElseAndNothingWhileItIsOff() {
        JournalRequests table = answering(Answer.DONE);
        tracing.around(table).send(new Request.ReadRecord(0, 1)).await().indefinitely();

        assertThat(exporter.getFinishedSpanItems()).isEmpty();
        assertThat(ClaimTracing.off().around(table)).isSameAs(table);
    }

    private static JournalRequests answering(Answer answer) {
        return Answering.table(request -> Uni.createFrom().item(answer));
    }

    private static Request.ClaimMessages claim(Message... messages) {
        return new Request.ClaimMessages(new LaneUpdate(0, 1, 1, 0, 0, List.of(), List.of()), 1, 1, List.of(), List.of(), 0,
                List.of(messages).stream().<JournalMessage> map(message -> new TestMessage(List.of(), message.attributes()))
                        .toList());
    }

    private static Message message(String id, Map<String, String> attributes) {
        SourceQueue queue = TestMessages.queue("q");
        String body = "{\"type\":\"hit\",\"time\":\"2026-11-20T10:00:00Z\",\"attributes\":{\"page\":\"p\"}}";
        return new Message(queue, id, "receipt", MessageBody.of(body), attributes, SENT, SENT, 1, null);
    }
}
