package dev.windrow.gather.api.live;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

import jakarta.ws.rs.core.HttpHeaders;
import jakarta.ws.rs.sse.OutboundSseEvent;

import dev.windrow.base.InvalidInputException;
import dev.windrow.base.Reason;
import dev.windrow.base.SharedTimer.TimerDelays;
import dev.windrow.gather.api.rendering.Warning;
import dev.windrow.gather.fanout.GatherException;
import dev.windrow.gather.fanout.GatherReport;
import dev.windrow.gather.fanout.GatherResult;
import dev.windrow.gather.live.LivePolls;
import dev.windrow.gather.live.LiveSubscriber;
import dev.windrow.gather.live.LiveUpdate;
import dev.windrow.gather.merge.Bucket;
import dev.windrow.gather.query.LiveQuery;
import dev.windrow.gather.query.TimeRange;
import io.smallrye.mutiny.Uni;

/**
 * One client's events. A client that resumes first receives, besides all that is watched, the earlier buckets since its last
 * event: those are read for it alone, until the read was complete, unless they are too many.
 */
final class LiveSubscription {

    private final LiveQuery query;
    private final LivePolls watches;
    private final LiveSubscriber watcher;
    private final ServerSentEvents events;
    private final Duration heartbeat;
    private final CredentialExpiry credential;
    private Optional<Instant> resumeFrom;
    private Optional<Instant> watchedFrom = Optional.empty();
    private volatile boolean ended;

    /** @param resumeFrom the start from which the client resumes */
    LiveSubscription(LiveQuery query, LivePolls watches, LiveSubscriber watcher, ServerSentEvents events, Duration heartbeat,
            Optional<Instant> resumeFrom, CredentialExpiry credential) {
        this.query = query;
        this.watches = watches;
        this.watcher = watcher;
        this.events = events;
        this.heartbeat = TimerDelays.atLeastShortest(heartbeat);
        this.resumeFrom = resumeFrom;
        this.credential = credential;
    }

    /** The next events; a heartbeat if there are none for some time, and the last one once the credential has expired. */
    Uni<List<OutboundSseEvent>> next() {
        return watcher.ready().ifNoItem().after(credential.atMost(heartbeat)).recoverWithUni(() -> Uni.createFrom().voidItem())
                .onItem().transformToUni(ready -> credential.hasExpired() ? expired() : withEarlier(watcher.take()))
                .onItem().transform(all -> all.isEmpty() && !ended ? List.of(events.heartbeat()) : all);
    }

    private Uni<List<OutboundSseEvent>> expired() {
        ended = true;
        return Uni.createFrom().item(() -> List.of(events.problem(new InvalidInputException(Reason.UNAUTHENTICATED,
                HttpHeaders.AUTHORIZATION, "expected a valid credential, as that of this stream has expired"))));
    }

    /** Whether the latest events were the last. */
    boolean hasEnded() {
        return ended;
    }

    private Uni<List<OutboundSseEvent>> withEarlier(LiveUpdate news) {
        ended = news.last();
        watchedFrom = news.from().or(() -> watchedFrom);
        resumeFrom = resumeFrom.filter(resume -> watchedFrom.isEmpty() || resume.isBefore(watchedFrom.get()));
        if (resumeFrom.isEmpty() || watchedFrom.isEmpty()) {
            return Uni.createFrom().item(() -> rendered(news, List.of(), List.of()));
        }
        TimeRange earlier = new TimeRange(resumeFrom.get(), watchedFrom.get()).alignedTo(query.granularity());
        return watches.earlier(query, earlier)
                .onItem().transform(gathered -> rendered(news, gathered))
                .onFailure(GatherException.class)
                .recoverWithItem(failure -> rendered(news, List.of(), List.of(events.problem(failure))))
                .onFailure(InvalidInputException.class).recoverWithItem(failure -> notResumed(news, failure));
    }

    /** There will not be fewer buckets next time, so it goes on from what is watched, and ids say so. */
    private List<OutboundSseEvent> notResumed(LiveUpdate news, Throwable failure) {
        resumeFrom = Optional.empty();
        return rendered(news, List.of(), List.of(events.problem(failure)));
    }

    private List<OutboundSseEvent> rendered(LiveUpdate news, GatherResult<List<Bucket>> earlier) {
        GatherReport report = earlier.report();
        List<OutboundSseEvent> rendered = rendered(news, earlier.result(), problems(report));
        if (report.isComplete()) {
            resumeFrom = Optional.empty();
        }
        return rendered;
    }

    private List<OutboundSseEvent> rendered(LiveUpdate news, List<Bucket> earlier, List<OutboundSseEvent> problems) {
        List<Bucket> buckets = new ArrayList<>(earlier);
        buckets.addAll(news.changed());
        Instant resume = buckets.stream().map(Bucket::start).reduce(TimeRange.END, TimeRange::earlier);
        resume = TimeRange.earlier(resume, watchedFrom.orElse(resume));
        Instant id = TimeRange.earlier(resume, resumeFrom.orElse(resume));
        List<OutboundSseEvent> all = new ArrayList<>();
        buckets.forEach(bucket -> all.add(events.bucket(bucket, id)));
        all.addAll(problems);
        news.report().ifPresent(report -> all.addAll(problems(report)));
        news.failure().ifPresent(failure -> all.add(events.problem(failure)));
        return all;
    }

    private List<OutboundSseEvent> problems(GatherReport report) {
        return Warning.of(report).stream().map(events::problem).toList();
    }
}
