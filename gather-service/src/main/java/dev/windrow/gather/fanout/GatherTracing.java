package dev.windrow.gather.fanout;

import java.util.Optional;

import dev.windrow.gather.query.DatasetScope;
import io.opentelemetry.api.OpenTelemetry;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.StatusCode;
import io.opentelemetry.api.trace.Tracer;
import io.smallrye.mutiny.Uni;

/** Makes a span for each gather, within that of its request, if tracing is on. */
public final class GatherTracing {

    private final Optional<Tracer> tracer;

    private GatherTracing(Optional<Tracer> tracer) {
        this.tracer = tracer;
    }

    /** No spans. */
    public static GatherTracing off() {
        return new GatherTracing(Optional.empty());
    }

    /** Spans. */
    public static GatherTracing with(OpenTelemetry telemetry) {
        return new GatherTracing(Optional.of(telemetry.getTracer("windrow-gatherer")));
    }

    <T> Uni<GatherResult<T>> around(DatasetScope scope, Uni<GatherResult<T>> gather) {
        return tracer.map(on -> Uni.createFrom().deferred(() -> {
            Span span = on.spanBuilder("gather").setAttribute("windrow.dataset", scope.dataset().name())
                    .setAttribute("windrow.tenant", scope.tenant()).startSpan();
            return gather.onItem().invoke(result -> describe(span, result.report()))
                    .onFailure().invoke(failure -> span.setStatus(StatusCode.ERROR,
                            GatherException.reasonOf(failure).word()))
                    .onTermination().invoke(() -> span.end());
        })).orElse(gather);
    }

    private static void describe(Span span, GatherReport report) {
        span.setAttribute("windrow.shards", report.shards()).setAttribute("windrow.pages", report.pages())
                .setAttribute("windrow.items", report.items()).setAttribute("windrow.read_units", report.readUnits())
                .setAttribute("windrow.complete", report.isComplete());
    }
}
