package dev.windrow.gather.api.live;

import java.time.Instant;
import java.util.List;

import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.sse.OutboundSseEvent;
import jakarta.ws.rs.sse.Sse;

import dev.windrow.gather.api.problem.Problems;
import dev.windrow.gather.api.rendering.BucketView;
import dev.windrow.gather.api.rendering.Warning;
import dev.windrow.gather.merge.Bucket;

/** Writes server-sent events. */
final class ServerSentEvents {

    private final Sse sse;
    private final Problems problems;

    ServerSentEvents(Sse sse, Problems problems) {
        this.sse = sse;
        this.problems = problems;
    }

    /** @param resumeFrom the id: a client that resumes with it receives every bucket from there on */
    OutboundSseEvent bucket(Bucket bucket, Instant resumeFrom) {
        return sse.newEventBuilder().name("bucket").id(Long.toString(resumeFrom.getEpochSecond()))
                .mediaType(MediaType.APPLICATION_JSON_TYPE).data(BucketView.class, BucketView.of(bucket)).build();
    }

    OutboundSseEvent problem(Throwable failure) {
        return problem(new Warning(Problems.reason(failure).word(), Problems.detail(failure), List.of()));
    }

    OutboundSseEvent problem(Warning warning) {
        problems.count(warning.reason());
        return sse.newEventBuilder().name("problem").mediaType(MediaType.APPLICATION_JSON_TYPE)
                .data(Warning.class, warning).build();
    }

    OutboundSseEvent heartbeat() {
        return sse.newEventBuilder().comment("alive").build();
    }
}
