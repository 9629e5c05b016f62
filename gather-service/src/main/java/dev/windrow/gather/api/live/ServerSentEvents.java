package dev.windrow.gather.api.live;

import java.time.Instant;
import java.util.List;

import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.sse.OutboundSseEvent;
import jakarta.ws.rs.sse.Sse;

import dev.windrow.gather.api.rendering.BucketView;
import dev.windrow.gather.api.rendering.Warning;
import dev.windrow.gather.fanout.GatherException;
import dev.windrow.gather.merge.Bucket;
import dev.windrow.reason.InvalidInputException;
import dev.windrow.reason.Reason;
import io.micrometer.core.instrument.MeterRegistry;

/** Writes server-sent events. */
final class ServerSentEvents {

    private final Sse sse;
    private final MeterRegistry metrics;

    ServerSentEvents(Sse sse, MeterRegistry metrics) {
        this.sse = sse;
        this.metrics = metrics;
    }

    /** @param resumeFrom the id: a client that resumes with it receives every bucket from there on */
    OutboundSseEvent bucket(Bucket bucket, Instant resumeFrom) {
        return sse.newEventBuilder().name("bucket").id(Long.toString(resumeFrom.getEpochSecond()))
                .mediaType(MediaType.APPLICATION_JSON_TYPE).data(BucketView.class, BucketView.of(bucket)).build();
    }

    OutboundSseEvent problem(Throwable failure) {
        Reason reason = failure instanceof InvalidInputException reasoned ? reasoned.reason()
                : GatherException.reasonOf(failure);
        return problem(new Warning(reason.word(), reason == Reason.INTERNAL ? "see the server's log" : message(failure),
                List.of()));
    }

    OutboundSseEvent problem(Warning warning) {
        metrics.counter("windrow.gather.problems", "reason", warning.reason()).increment();
        return sse.newEventBuilder().name("problem").mediaType(MediaType.APPLICATION_JSON_TYPE)
                .data(Warning.class, warning).build();
    }

    OutboundSseEvent heartbeat() {
        return sse.newEventBuilder().comment("alive").build();
    }

    private static String message(Throwable failure) {
        return failure instanceof GatherException known ? known.publicMessage() : String.valueOf(failure.getMessage());
    }
}
