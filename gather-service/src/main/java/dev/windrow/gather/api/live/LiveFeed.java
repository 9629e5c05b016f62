package dev.windrow.gather.api.live;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.regex.Pattern;

import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import jakarta.ws.rs.sse.OutboundSseEvent;
import jakarta.ws.rs.sse.Sse;

import org.jspecify.annotations.Nullable;

import dev.windrow.base.Bulkhead;
import dev.windrow.base.LogKey;
import dev.windrow.base.Reason;
import dev.windrow.base.StructuredLogger;
import dev.windrow.gather.api.ApiConfig;
import dev.windrow.gather.api.problem.AbortedStreams;
import dev.windrow.gather.api.problem.Problems;
import dev.windrow.gather.fanout.FanoutConfig;
import dev.windrow.gather.fanout.GatherException;
import dev.windrow.gather.fanout.Gatherer;
import dev.windrow.gather.fanout.HeldMemory;
import dev.windrow.gather.fanout.SlowClientTimeout;
import dev.windrow.gather.live.LivePolls;
import dev.windrow.gather.live.LiveSubscriber;
import dev.windrow.gather.query.LiveQuery;
import io.quarkus.runtime.ShutdownDelayInitiatedEvent;
import io.smallrye.mutiny.Multi;
import io.smallrye.mutiny.infrastructure.Infrastructure;

/**
 * Server-sent events for clients that watch buckets, for a limited number of clients. The response's headers are sent
 * before the first poll, so failures are reported as events: a stream that only ends says nothing.
 */
@ApplicationScoped
class LiveFeed {

    private static final StructuredLogger LOG = StructuredLogger.of(LiveFeed.class);
    /** Seconds since 1970. */
    private static final Pattern EVENT_ID = Pattern.compile("[0-9]{1,12}");

    private final LivePolls watches;
    private final Clock clock;
    private final ApiConfig.Live config;
    private final Duration readerTimeout;
    private final Bulkhead clients;
    private final AbortedStreams cutStreams;
    private final Problems problems;

    LiveFeed(Gatherer gatherer, Clock clock, ApiConfig config, FanoutConfig fanout, AbortedStreams cutStreams,
            Problems problems, HeldMemory memory) {
        this.watches = new LivePolls(gatherer, clock, Infrastructure.getDefaultWorkerPool(), config.live().pollInterval(),
                config.live().maxBuckets(), memory);
        this.clock = clock;
        this.config = config.live();
        this.readerTimeout = fanout.slowClientTimeout();
        this.clients = new Bulkhead(config.live().maxClients(), 0, "live streams", GatherException::new);
        this.cutStreams = cutStreams;
        this.problems = problems;
    }

    /** Ends all streams, as none would end by itself before the wait for requests under way is over: clients reconnect. */
    void stop(@Observes ShutdownDelayInitiatedEvent stopping) {
        watches.close();
    }

    /** @param expiry of the client's credential, which the stream does not outlast */
    Multi<OutboundSseEvent> events(LiveQuery query, Sse sse, @Nullable String lastEventId, Optional<Instant> expiry) {
        Optional<Instant> resumeFrom = Optional.ofNullable(lastEventId).flatMap(id -> resumeFrom(query, id));
        ServerSentEvents events = new ServerSentEvents(sse, problems);
        return clients.stream(() -> watch(query, events, resumeFrom, expiry), query.options().timeout())
                .onFailure(failure -> Problems.reason(failure) == Reason.INTERNAL)
                .invoke(failure -> LOG.error(failure, "live stream failed, its client may reconnect",
                        LogKey.REASON.of(Reason.INTERNAL.word())))
                .onFailure().recoverWithItem(events::problem)
                .plug(upstream -> new SlowClientTimeout<>(upstream, readerTimeout, Infrastructure.getDefaultWorkerPool()))
                .plug(cutStreams::noted);
    }

    private Multi<OutboundSseEvent> watch(LiveQuery query, ServerSentEvents events, Optional<Instant> resumeFrom,
            Optional<Instant> expiry) {
        LiveSubscriber watcher = watches.join(query);
        CredentialExpiry credential = new CredentialExpiry(expiry, clock);
        LiveSubscription client = new LiveSubscription(query, watches, watcher, events, config.heartbeatInterval(), resumeFrom,
                credential);
        return Multi.createBy().repeating().uni(client::next).whilst(batch -> !client.hasEnded())
                .onItem().<OutboundSseEvent> disjoint()
                .onTermination().invoke(() -> watches.leave(query, watcher));
    }

    /** A client that was away for longer than the maximum starts anew. */
    private Optional<Instant> resumeFrom(LiveQuery query, String lastEventId) {
        return EVENT_ID.matcher(lastEventId).matches()
                ? query.resumable(Instant.ofEpochSecond(Long.parseLong(lastEventId)), clock.instant(), config.maxResumeAge())
                : Optional.empty();
    }
}
