package dev.windrow.gather.live;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.HEAD;
import jakarta.ws.rs.HeaderParam;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.HttpHeaders;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import jakarta.ws.rs.sse.OutboundSseEvent;
import jakarta.ws.rs.sse.Sse;

import org.eclipse.microprofile.openapi.annotations.Operation;
import org.eclipse.microprofile.openapi.annotations.media.Content;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.eclipse.microprofile.openapi.annotations.responses.APIResponse;
import org.jspecify.annotations.Nullable;

import dev.windrow.base.AdmissionQueue;
import dev.windrow.base.InvalidInputException;
import dev.windrow.base.LogKey;
import dev.windrow.base.Reason;
import dev.windrow.base.SharedTimer.TimerDelays;
import dev.windrow.base.StructuredLogger;
import dev.windrow.gather.http.ApiConfig;
import dev.windrow.gather.http.Problems;
import dev.windrow.gather.http.Problems.AbortedStreams;
import dev.windrow.gather.live.LivePoll.LivePolls;
import dev.windrow.gather.live.LiveSubscriber.LiveUpdate;
import dev.windrow.gather.plan.Bucket;
import dev.windrow.gather.plan.QueryContext.QueryLimits;
import dev.windrow.gather.plan.QueryKind;
import dev.windrow.gather.plan.TimeRange;
import dev.windrow.gather.read.Execution;
import dev.windrow.gather.read.GatherException;
import dev.windrow.gather.read.GatherReport;
import dev.windrow.gather.read.GatherReport.Warning;
import dev.windrow.gather.read.Gatherer;
import dev.windrow.gather.read.Gatherer.SlowClientTimeout;
import dev.windrow.gather.read.HeldMemory;
import dev.windrow.gather.read.ReadProducer.ReadSettings;
import dev.windrow.gather.render.BucketView;
import dev.windrow.gather.request.RequestParser;
import dev.windrow.gather.security.Caller;
import io.quarkus.runtime.ShutdownDelayInitiatedEvent;
import io.smallrye.mutiny.Multi;
import io.smallrye.mutiny.Uni;
import io.smallrye.mutiny.infrastructure.Infrastructure;

/** Changed buckets as they change. */
@Path("/api/v1/datasets/{dataset}/live")
public class LiveResource {

    private final RequestParser requests;
    private final LiveFeed feed;
    private final Caller caller;

    LiveResource(RequestParser requests, LiveFeed feed, Caller caller) {
        this.requests = requests;
        this.feed = feed;
        this.caller = caller;
    }

    /** What a GET would begin with. The framework's own answer to HEAD is the whole of a GET, which has no end here. */
    @HEAD
    @Operation(hidden = true)
    public Response headers(@PathParam("dataset") String dataset) {
        requests.read(QueryKind.LIVE, dataset, LiveQuery::of);
        return Response.ok().type(MediaType.SERVER_SENT_EVENTS).build();
    }

    @GET
    @Produces(MediaType.SERVER_SENT_EVENTS)
    @Operation(operationId = "live", summary = "Changed buckets as server-sent events", description = """
            First every bucket of the window, then each that changes, in its whole new state. Events named `bucket` hold a \
            bucket, events named `problem` a reason and a message; the stream may end after one. A client that comes back \
            with `Last-Event-ID` gets every bucket that may have changed meanwhile; applying one twice does no harm.""")
    @APIResponse(responseCode = "200", content = @Content(mediaType = MediaType.SERVER_SENT_EVENTS, schema = @Schema(implementation = BucketView.class)))
    public Multi<OutboundSseEvent> live(@PathParam("dataset") String dataset, @Context Sse sse,
            @HeaderParam("Last-Event-ID") @Nullable String lastEventId) {
        LiveQuery query = requests
                .read(QueryKind.LIVE, dataset, LiveQuery::of).query();
        return feed.events(query, sse, lastEventId, caller.expiry());
    }

    /**
     * Server-sent events for clients that watch buckets, for a limited number of clients. The response's headers are sent
     * before the first poll, so failures are reported as events: a stream that only ends says nothing.
     */
    @ApplicationScoped
    static class LiveFeed {

        private static final StructuredLogger LOG = StructuredLogger.of(LiveFeed.class);
        /** Seconds since 1970. */
        private static final Pattern EVENT_ID = Pattern.compile("[0-9]{1,12}");

        /** Twice the longest window, so that whoever was away for a night, and watches a day, has missed nothing. */
        private static final Duration MAX_RESUME_AGE = QueryLimits.MAX_WINDOW.multipliedBy(2);

        private final LivePolls watches;
        private final Clock clock;
        private final LiveSettings settings;
        private final Duration readerTimeout;
        private final AdmissionQueue clients;
        private final AbortedStreams cutStreams;
        private final Problems problems;

        LiveFeed(Gatherer gatherer, Clock clock, ApiConfig config, LiveSettings settings, ReadSettings reads,
                AbortedStreams cutStreams, Problems problems, HeldMemory memory) {
            this.watches = new LivePolls(gatherer, clock, Infrastructure.getDefaultWorkerPool(), settings.pollInterval(),
                    settings.maxBuckets(), memory);
            this.clock = clock;
            this.settings = settings;
            this.readerTimeout = reads.slowClientTimeout();
            this.clients = AdmissionQueue.ofPermits(config.maxClients(), 0, "live streams", GatherException::new);
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
            LiveSubscription client = new LiveSubscription(query, watches, watcher, events, settings.heartbeatInterval(),
                    resumeFrom,
                    credential);
            return Multi.createBy().repeating().uni(client::next).whilst(batch -> !client.hasEnded())
                    .onItem().<OutboundSseEvent> disjoint()
                    .onTermination().invoke(() -> watches.leave(query, watcher));
        }

        /** A client that was away for longer than the maximum starts anew. */
        private Optional<Instant> resumeFrom(LiveQuery query, String lastEventId) {
            return EVENT_ID.matcher(lastEventId).matches()
                    ? query.resumable(Instant.ofEpochSecond(Long.parseLong(lastEventId)), clock.instant(),
                            MAX_RESUME_AGE)
                    : Optional.empty();
        }
    }

    /**
     * One client's events. A client that resumes first receives, besides all that is watched, the earlier buckets since its
     * last
     * event: those are read for it alone, until the read was complete, unless they are too many.
     */
    static final class LiveSubscription {

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
        LiveSubscription(LiveQuery query, LivePolls watches, LiveSubscriber watcher, ServerSentEvents events,
                Duration heartbeat,
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
            return watcher.ready().ifNoItem().after(credential.atMost(heartbeat))
                    .recoverWithUni(() -> Uni.createFrom().voidItem())
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

        private List<OutboundSseEvent> rendered(LiveUpdate news, Execution<List<Bucket>> earlier) {
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
            return report.warnings().stream().map(events::problem).toList();
        }
    }

    /** Writes server-sent events. */
    static final class ServerSentEvents {

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

    /**
     * When the credential of a stream expires. It was checked when the stream began, and must not be good for longer because
     * its
     * client never asks again.
     *
     * @param at empty for one that does not expire
     */
    record CredentialExpiry(Optional<Instant> at, Clock clock) {

        boolean hasExpired() {
            return at.filter(end -> !clock.instant().isBefore(end)).isPresent();
        }

        /** A wait of a timer, shortened to the expiry if that comes first. */
        Duration atMost(Duration wait) {
            return at.map(end -> Duration.between(clock.instant(), end)).filter(left -> left.compareTo(wait) < 0)
                    .map(TimerDelays::atLeastShortest).orElse(wait);
        }
    }
}
