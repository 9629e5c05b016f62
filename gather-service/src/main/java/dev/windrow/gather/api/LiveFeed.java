package dev.windrow.gather.api;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

import jakarta.enterprise.context.ApplicationScoped;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.sse.OutboundSseEvent;
import jakarta.ws.rs.sse.Sse;

import org.jspecify.annotations.Nullable;

import dev.windrow.gather.answer.LiveChanges;
import dev.windrow.gather.fanout.AsyncPermits;
import dev.windrow.gather.fanout.GatherException;
import dev.windrow.gather.fanout.GatherRequest;
import dev.windrow.gather.fanout.Gathered;
import dev.windrow.gather.fanout.Gatherer;
import dev.windrow.gather.merge.Bucket;
import dev.windrow.gather.query.LiveQuery;
import dev.windrow.gather.query.Parameters;
import dev.windrow.gather.query.QueryParameter;
import dev.windrow.gather.query.TimeRange;
import io.smallrye.mutiny.Multi;
import io.smallrye.mutiny.Uni;

/**
 * Looks at the watched buckets again and again, for each client by itself, and tells those that changed. An event's id is
 * the earliest start that was watched then: whoever comes back with it is told every bucket from there on, so nothing that
 * changed meanwhile is missed.
 */
@ApplicationScoped
class LiveFeed {

    private final Gatherer gatherer;
    private final Clock clock;
    private final ApiConfig.Live config;
    private final AsyncPermits clients;

    LiveFeed(Gatherer gatherer, Clock clock, ApiConfig config) {
        this.gatherer = gatherer;
        this.clock = clock;
        this.config = config.live();
        this.clients = new AsyncPermits(config.live().clients(), 0, "live streams");
    }

    Multi<OutboundSseEvent> events(LiveQuery query, Sse sse, @Nullable String lastEventId) {
        Optional<Instant> resumeFrom = Optional.ofNullable(lastEventId).flatMap(this::resumeFrom);
        return clients.stream(() -> {
            LiveChanges changes = new LiveChanges();
            List<Instant> resume = new ArrayList<>(resumeFrom.stream().toList());
            Multi<OutboundSseEvent> told = Multi.createFrom().ticks().every(config.interval())
                    .onOverflow().drop()
                    .onItem().transformToUniAndConcatenate(tick -> look(query, sse, changes, resume))
                    .onItem().disjoint();
            Multi<OutboundSseEvent> alive = Multi.createFrom().ticks().every(config.heartbeat())
                    .onOverflow().drop()
                    .onItem().transform(tick -> sse.newEventBuilder().comment("alive").build());
            return Multi.createBy().merging().streams(told, alive);
        });
    }

    private Uni<List<OutboundSseEvent>> look(LiveQuery query, Sse sse, LiveChanges changes, List<Instant> resume) {
        TimeRange watched = query.watched(clock.instant());
        TimeRange range = resume.isEmpty() || !resume.get(0).isBefore(watched.from())
                ? watched
                : new TimeRange(resume.get(0), watched.to()).alignedTo(query.granularity());
        GatherRequest request = new GatherRequest(query.scope(), query.plan(range), Optional.empty(),
                GatherRequest.Order.ASCENDING, config.buckets() + 1L, query.options());
        return gatherer.list(request).onItem().transform(gathered -> {
            requireFew(gathered.result());
            // Only the first look goes back as far as the client's last event.
            if (gathered.report().isComplete()) {
                resume.clear();
            }
            return events(sse, changes.look(range.from(), gathered.result()), gathered, watched.from());
        }).onFailure(GatherException.class).recoverWithItem(failure -> List.of(problem(sse,
                new Warning(GatherException.reasonOf(failure).word(), String.valueOf(failure.getMessage()), List.of()))));
    }

    private List<OutboundSseEvent> events(Sse sse, List<Bucket> changed, Gathered<?> gathered, Instant from) {
        String id = Long.toString(from.getEpochSecond());
        return Stream.concat(
                changed.stream().map(bucket -> sse.newEventBuilder().name("bucket").id(id)
                        .mediaType(MediaType.APPLICATION_JSON_TYPE).data(BucketView.class, BucketView.of(bucket)).build()),
                Warning.of(gathered.report()).stream().map(warning -> problem(sse, warning))).toList();
    }

    private static OutboundSseEvent problem(Sse sse, Warning warning) {
        return sse.newEventBuilder().name("problem").mediaType(MediaType.APPLICATION_JSON_TYPE)
                .data(Warning.class, warning).build();
    }

    private void requireFew(List<Bucket> watched) {
        if (watched.size() > config.buckets()) {
            throw Parameters.invalid(QueryParameter.WINDOW, "expected at most " + config.buckets()
                    + " buckets to watch: ask for a shorter window, or for labels with a prefix");
        }
    }

    /** A client that stayed away for longer than may be watched starts anew. */
    private Optional<Instant> resumeFrom(String lastEventId) {
        try {
            Instant from = Instant.ofEpochSecond(Long.parseLong(lastEventId));
            Duration away = Duration.between(from, clock.instant());
            return away.isNegative() || away.compareTo(config.longestResume()) > 0 ? Optional.empty() : Optional.of(from);
        } catch (NumberFormatException e) {
            return Optional.empty();
        }
    }
}
