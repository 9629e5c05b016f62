package dev.windrow.gather.live;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

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
import dev.windrow.base.StructuredLogger;
import dev.windrow.base.TimerDelays;
import dev.windrow.gather.fanout.Execution;
import dev.windrow.gather.fanout.GatherReport;
import dev.windrow.gather.fanout.Gatherer;
import dev.windrow.gather.fanout.HeldMemory;
import dev.windrow.gather.fanout.SlowClientTimeout;
import dev.windrow.gather.fanout.Warning;
import dev.windrow.gather.http.ApiConfig;
import dev.windrow.gather.http.Problems;
import dev.windrow.gather.parameter.QueryKind;
import dev.windrow.gather.plan.Bucket;
import dev.windrow.gather.plan.QueryLimits;
import dev.windrow.gather.range.TimeRange;
import dev.windrow.gather.read.GatherException;
import dev.windrow.gather.read.ReadSettings;
import dev.windrow.gather.render.BucketView;
import dev.windrow.gather.request.RequestParser;
import dev.windrow.gather.security.Caller;
import io.quarkus.runtime.ShutdownDelayInitiatedEvent;
import io.smallrye.mutiny.Multi;
import io.smallrye.mutiny.Uni;
import io.smallrye.mutiny.infrastructure.Infrastructure;

/** Buckets as they change, as server-sent events. */
@Path("/api/v1/datasets/{dataset}/live")
public class LiveResource {

    private static final StructuredLogger LOG = StructuredLogger.of(LiveResource.class);
    /** Event ids are seconds since 1970. */
    private static final Pattern EVENT_ID = Pattern.compile("[0-9]{1,12}");

    /** Twice the longest window, so that a client that watches a day and was away for a night has missed nothing. */
    private static final Duration MAX_RESUME_AGE = QueryLimits.MAX_WINDOW.multipliedBy(2);

    private final RequestParser requests;
    private final Caller caller;
    private final LivePolls watches;
    private final Clock clock;
    private final LiveSettings settings;
    private final Duration readerTimeout;
    private final AdmissionQueue clients;
    private final Problems problems;

    LiveResource(RequestParser requests, Caller caller, Gatherer gatherer, Clock clock, ApiConfig config,
            LiveSettings settings, ReadSettings reads, Problems problems, HeldMemory memory) {
        this.requests = requests;
        this.caller = caller;
        this.watches = new LivePolls(gatherer, clock, Infrastructure.getDefaultWorkerPool(), settings, memory);
        this.clock = clock;
        this.settings = settings;
        this.readerTimeout = reads.slowClientTimeout();
        this.clients = AdmissionQueue.ofPermits(config.maxClients(), 0, "live streams", GatherException::new);
        this.problems = problems;
    }

    /** Returns the headers of a GET. The framework would answer HEAD by running the whole GET, which never ends here. */
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
        LiveQuery query = requests.read(QueryKind.LIVE, dataset, LiveQuery::of).query();
        Optional<Instant> resumeFrom = Optional.ofNullable(lastEventId).flatMap(id -> resumeFrom(query, id));
        CredentialExpiry credential = new CredentialExpiry(caller.expiry(), clock);
        // The response's headers are sent before the first poll, so failures are reported as events: a stream that just ends
        // gives no reason.
        return clients.stream(() -> new LiveSubscription(query, sse, credential, resumeFrom).events(),
                query.options().timeout(), Infrastructure.getDefaultWorkerPool())
                .onFailure(failure -> Problems.reason(failure) == Reason.INTERNAL)
                .invoke(failure -> LOG.error(failure, "live stream failed, its client may reconnect",
                        LogKey.REASON.of(Reason.INTERNAL.word())))
                .onFailure().recoverWithItem(failure -> problem(sse, failure))
                .plug(upstream -> new SlowClientTimeout<>(upstream, readerTimeout, Infrastructure.getDefaultWorkerPool()))
                .plug(problems::noted);
    }

    /** Ends all streams, so that clients reconnect: none would end before the wait for requests in flight is over. */
    void stop(@Observes ShutdownDelayInitiatedEvent stopping) {
        watches.close();
    }

    /** A client that was away for longer than the maximum starts over. */
    private Optional<Instant> resumeFrom(LiveQuery query, String lastEventId) {
        return EVENT_ID.matcher(lastEventId).matches()
                ? query.resumable(Instant.ofEpochSecond(Long.parseLong(lastEventId)), clock.instant(), MAX_RESUME_AGE)
                : Optional.empty();
    }

    private OutboundSseEvent problem(Sse sse, Throwable failure) {
        return problem(sse, new Warning(Problems.reason(failure).word(), Problems.detail(failure), List.of()));
    }

    private OutboundSseEvent problem(Sse sse, Warning warning) {
        problems.count(warning.reason());
        return sse.newEventBuilder().name("problem").mediaType(MediaType.APPLICATION_JSON_TYPE)
                .data(Warning.class, warning).build();
    }

    /**
     * One client's events. A resuming client first receives, besides all watched buckets, the earlier ones since its last
     * event. These are read for it alone, until a read is complete, unless they are too many.
     */
    private final class LiveSubscription {

        private final LiveQuery query;
        private final Sse sse;
        private final CredentialExpiry credential;
        private final LiveSubscriber watcher;
        private Optional<Instant> resumeFrom;
        private Optional<Instant> watchedFrom = Optional.empty();
        private volatile boolean ended;

        /** @param resumeFrom the start from which the client resumes */
        LiveSubscription(LiveQuery query, Sse sse, CredentialExpiry credential, Optional<Instant> resumeFrom) {
            this.query = query;
            this.sse = sse;
            this.credential = credential;
            this.resumeFrom = resumeFrom;
            this.watcher = watches.join(query);
        }

        Multi<OutboundSseEvent> events() {
            return Multi.createBy().repeating().uni(this::next).whilst(batch -> !ended)
                    .onItem().<OutboundSseEvent> disjoint()
                    .onTermination().invoke(() -> watches.leave(query, watcher));
        }

        /** Returns the next events; a heartbeat if none come for a while, and the last event once the credential expires. */
        Uni<List<OutboundSseEvent>> next() {
            return watcher.ready().ifNoItem()
                    .after(credential.atMost(TimerDelays.atLeastShortest(settings.heartbeatInterval())))
                    .recoverWithUni(() -> Uni.createFrom().voidItem())
                    .onItem().transformToUni(ready -> credential.hasExpired() ? expired() : withEarlier(watcher.take()))
                    .map(all -> all.isEmpty() && !ended ? List.of(sse.newEventBuilder().comment("alive").build()) : all);
        }

        private Uni<List<OutboundSseEvent>> expired() {
            ended = true;
            return Uni.createFrom().item(() -> List.of(problem(sse, new InvalidInputException(Reason.UNAUTHENTICATED,
                    HttpHeaders.AUTHORIZATION, "the credential of this stream has expired: connect again with a valid one"))));
        }

        private Uni<List<OutboundSseEvent>> withEarlier(LiveUpdate news) {
            ended = news.last();
            watchedFrom = news.from().or(() -> watchedFrom);
            resumeFrom = resumeFrom.filter(resume -> watchedFrom.isEmpty() || resume.isBefore(watchedFrom.get()));
            if (resumeFrom.isEmpty() || watchedFrom.isEmpty()) {
                return Uni.createFrom().item(() -> rendered(news, List.of(), List.of()));
            }
            TimeRange earlier = new TimeRange(resumeFrom.get(), watchedFrom.get()).alignedTo(query.granularity());
            return watches.read(query, earlier)
                    .map(gathered -> rendered(news, gathered))
                    .onFailure(GatherException.class)
                    .recoverWithItem(failure -> rendered(news, List.of(), List.of(problem(sse, failure))))
                    .onFailure(InvalidInputException.class).recoverWithItem(failure -> {
                        // There would not be fewer buckets next time, so it goes on with the watched ones, and ids say so.
                        resumeFrom = Optional.empty();
                        return rendered(news, List.of(), List.of(problem(sse, failure)));
                    });
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
            // A client that resumes with the id receives every bucket from there on.
            buckets.forEach(bucket -> all.add(sse.newEventBuilder().name("bucket").id(Long.toString(id.getEpochSecond()))
                    .mediaType(MediaType.APPLICATION_JSON_TYPE)
                    .data(BucketView.class, BucketView.of(bucket, query.scope().columns())).build()));
            all.addAll(problems);
            news.report().ifPresent(report -> all.addAll(problems(report)));
            news.failure().ifPresent(failure -> all.add(problem(sse, failure)));
            return all;
        }

        private List<OutboundSseEvent> problems(GatherReport report) {
            return report.warnings().stream().map(warning -> problem(sse, warning)).toList();
        }
    }

    /**
     * The time when the credential of a stream expires. It was checked when the stream began, and must not stay valid for
     * longer because the client sends no other request.
     *
     * @param at empty if it does not expire
     */
    record CredentialExpiry(Optional<Instant> at, Clock clock) {

        boolean hasExpired() {
            return at.filter(end -> !clock.instant().isBefore(end)).isPresent();
        }

        /** Returns the wait of a timer, shortened to the expiry if that comes first. */
        Duration atMost(Duration wait) {
            return at.map(end -> Duration.between(clock.instant(), end)).filter(left -> left.compareTo(wait) < 0)
                    .map(TimerDelays::atLeastShortest).orElse(wait);
        }
    }
}
