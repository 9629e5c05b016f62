package dev.windrow.writer.flow;

import java.util.HashSet;
import java.util.Map;
import java.util.Set;

import org.jspecify.annotations.Nullable;

import dev.windrow.base.Reason;
import dev.windrow.writer.inflight.pending.PendingMessage;
import dev.windrow.writer.journal.claim.JournalMessage;
import dev.windrow.writer.journal.request.Answer;
import dev.windrow.writer.journal.request.Request;
import dev.windrow.writer.store.journal.JournalRequests;
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
 * One span for each claim, linked to the traces of its messages. A claim has no parent: it serves many producers at once. The
 * trace context comes from the message attributes {@code traceparent} and {@code tracestate}.
 */
public final class ClaimTracing {

    /** Links beyond this many are left out, as the SDK would (OpenTelemetry specification, span limits). */
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

    private final @Nullable Tracer tracer;

    private ClaimTracing(@Nullable Tracer tracer) {
        this.tracer = tracer;
    }

    /** Traces nothing, at no cost. */
    public static ClaimTracing off() {
        return new ClaimTracing(null);
    }

    public static ClaimTracing with(OpenTelemetry telemetry) {
        return new ClaimTracing(telemetry.getTracer("dev.windrow.writer"));
    }

    /** Traces claims on their way to the table. */
    public JournalRequests around(JournalRequests table) {
        Tracer to = tracer;
        return to == null ? table
                : request -> request instanceof Request.ClaimMessages claim ? traced(claim, table, to) : table.send(request);
    }

    private static Uni<Answer> traced(Request.ClaimMessages claim, JournalRequests table, Tracer tracer) {
        return Uni.createFrom().deferred(() -> {
            Span span = start(claim, tracer);
            return table.send(claim).invoke(answer -> end(span, answer)).onFailure().invoke(failure -> {
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
            SpanContext context = context(((PendingMessage) message.reference()).message().attributes());
            if (context.isValid() && linked.size() < MAX_LINKS && linked.add(context)) {
                builder.addLink(context);
            }
        }
        return builder.startSpan();
    }

    /** A claim that found some of its messages claimed before is no error: the rest is claimed by another. */
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
