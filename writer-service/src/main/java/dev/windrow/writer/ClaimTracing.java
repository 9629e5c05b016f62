package dev.windrow.writer;

import java.util.HashSet;
import java.util.Map;
import java.util.Set;

import org.jspecify.annotations.Nullable;

import dev.windrow.base.Reason;
import dev.windrow.writer.journal.JournalMessage;
import dev.windrow.writer.journal.Request;
import dev.windrow.writer.journal.Request.Answer;
import dev.windrow.writer.journal.Request.TableRequest;
import dev.windrow.writer.table.JournalRequests;
import io.opentelemetry.api.OpenTelemetry;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanBuilder;
import io.opentelemetry.api.trace.SpanContext;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.StatusCode;
import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.api.trace.propagation.W3CTraceContextPropagator;
import io.opentelemetry.context.Context;
import io.opentelemetry.context.propagation.TextMapGetter;
import io.smallrye.mutiny.Uni;

/**
 * Records one span per claim, linked to the traces of its messages. The span has no parent, as a claim serves many
 * producers. The trace context comes from the message attributes {@code traceparent} and {@code tracestate}.
 */
record ClaimTracing(@Nullable Tracer tracer) {

    /** Further links are dropped, as the SDK would do (OpenTelemetry specification, span limits). */
    private static final int MAX_LINKS = 128;

    private static final TextMapGetter<Map<String, String>> ATTRIBUTES = new TextMapGetter<>() {

        @Override
        public Iterable<String> keys(Map<String, String> attributes) {
            return attributes.keySet();
        }

        @Override
        public @Nullable String get(@Nullable Map<String, String> attributes, String key) {
            return attributes == null ? null : attributes.get(key);
        }
    };

    /** Disables tracing, at no cost. */
    public static ClaimTracing off() {
        return new ClaimTracing(null);
    }

    public static ClaimTracing with(OpenTelemetry telemetry) {
        return new ClaimTracing(telemetry.getTracer("dev.windrow.writer"));
    }

    /** Wraps the table's requests so that claims are traced. */
    public JournalRequests around(JournalRequests table) {
        Tracer to = tracer;
        return to == null ? table : new JournalRequests() {

            @Override
            public <A extends Answer> Uni<A> send(TableRequest<A> request) {
                Uni<A> sent = table.send(request);
                return request instanceof Request.ClaimMessages claim ? traced(claim, sent, to) : sent;
            }
        };
    }

    private static <A extends Answer> Uni<A> traced(Request.ClaimMessages claim, Uni<A> sent, Tracer tracer) {
        return Uni.createFrom().deferred(() -> {
            Span span = start(claim, tracer);
            return sent.invoke(answer -> end(span, answer)).onFailure().invoke(failure -> {
                span.setStatus(StatusCode.ERROR, Reason.INTERNAL.word());
                span.end();
            });
        });
    }

    private static Span start(Request.ClaimMessages claim, Tracer tracer) {
        SpanBuilder builder = tracer.spanBuilder("claim").setNoParent().setSpanKind(SpanKind.CONSUMER)
                .setAttribute("windrow.lane", claim.update().lane())
                .setAttribute("windrow.position", claim.position())
                .setAttribute("windrow.messages", claim.messages().size());
        Set<SpanContext> linked = new HashSet<>();
        for (JournalMessage message : claim.messages()) {
            SpanContext context = context(message.attributes());
            if (context.isValid() && linked.size() < MAX_LINKS && linked.add(context)) {
                builder.addLink(context);
            }
        }
        return builder.startSpan();
    }

    /** A claim that finds some messages claimed before is no error: another claim takes the rest. */
    private static void end(Span span, Answer answer) {
        if (answer instanceof Answer.Refused refused) {
            span.setStatus(StatusCode.ERROR, refused.reason().word());
        }
        span.setAttribute("windrow.claimed", answer instanceof Answer.Done);
        span.end();
    }

    private static SpanContext context(Map<String, String> attributes) {
        return attributes.isEmpty() ? SpanContext.getInvalid()
                : Span.fromContext(W3CTraceContextPropagator.getInstance().extract(Context.root(), attributes, ATTRIBUTES))
                        .getSpanContext();
    }
}
