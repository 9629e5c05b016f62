package dev.windrow.writer.flow;

import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

import org.jspecify.annotations.Nullable;

import dev.windrow.writer.aggregate.Contribution;
import dev.windrow.writer.aggregate.SeriesBatch;
import dev.windrow.writer.inflight.pending.ContributionOutcome;
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

/**
 * One span for each flush of a series, linked to the traces of the messages it holds. A flush has no parent: it serves
 * many producers at once. The trace context comes from the message attributes {@code traceparent} and {@code tracestate}.
 */
public final class FlushTracing {

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

    private FlushTracing(@Nullable Tracer tracer) {
        this.tracer = tracer;
    }

    /** Traces nothing, at no cost. */
    public static FlushTracing off() {
        return new FlushTracing(null);
    }

    public static FlushTracing with(OpenTelemetry telemetry) {
        return new FlushTracing(telemetry.getTracer("dev.windrow.writer"));
    }

    /** Begins the span of a flush. */
    Span begin(SeriesBatch batch) {
        if (tracer == null) {
            return Span.getInvalid();
        }
        SpanBuilder builder = tracer.spanBuilder("flush " + batch.series().dataset()).setNoParent()
                .setSpanKind(SpanKind.CONSUMER)
                .setAttribute("windrow.dataset", batch.series().dataset())
                .setAttribute("windrow.tenant", batch.series().tenant())
                .setAttribute("windrow.messages", batch.shares().size())
                .setAttribute("windrow.events", batch.shares().stream().mapToLong(Contribution::events).sum());
        Set<SpanContext> linked = new HashSet<>();
        for (Contribution share : batch.shares()) {
            SpanContext context = context(share.message().message().attributes());
            if (context.isValid() && linked.size() < MAX_LINKS && linked.add(context)) {
                builder.addLink(context);
            }
        }
        return builder.startSpan();
    }

    /** Ends the span of a flush. */
    void end(Span span, List<ContributionOutcome> outcomes) {
        for (ContributionOutcome outcome : outcomes) {
            if (outcome instanceof ContributionOutcome.Failed failed) {
                span.setStatus(StatusCode.ERROR, failed.reason().word());
                break;
            }
        }
        span.end();
    }

    private static SpanContext context(Map<String, String> attributes) {
        return attributes.isEmpty() ? SpanContext.getInvalid()
                : Span.fromContext(W3CTraceContextPropagator.getInstance().extract(Context.root(), attributes, ATTRIBUTES))
                        .getSpanContext();
    }
}
