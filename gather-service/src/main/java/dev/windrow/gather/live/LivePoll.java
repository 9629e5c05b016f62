package dev.windrow.gather.live;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ScheduledExecutorService;

import org.jspecify.annotations.Nullable;

import dev.windrow.base.InvalidInputException;
import dev.windrow.base.LogKey;
import dev.windrow.base.Reason;
import dev.windrow.base.StructuredLogger;
import dev.windrow.gather.answer.ChangeDetector;
import dev.windrow.gather.answer.HeldSize;
import dev.windrow.gather.fanout.GatherException;
import dev.windrow.gather.fanout.GatherRequest;
import dev.windrow.gather.fanout.GatherResult;
import dev.windrow.gather.fanout.Gatherer;
import dev.windrow.gather.fanout.HeldMemory;
import dev.windrow.gather.merge.Bucket;
import dev.windrow.gather.query.LiveQuery;
import dev.windrow.gather.query.Parameters;
import dev.windrow.gather.query.QueryParameter;
import dev.windrow.gather.query.TimeRange;
import io.smallrye.mutiny.Multi;
import io.smallrye.mutiny.Uni;
import io.smallrye.mutiny.subscription.Cancellable;

/** Polls the buckets of one query for all subscribers: one read per shard and poll, whatever their number. */
final class LivePoll {

    private static final StructuredLogger LOG = StructuredLogger.of(LivePoll.class);

    private final LiveQuery query;
    private final Gatherer gatherer;
    private final Clock clock;
    private final int maxBuckets;
    private final HeldMemory.Share held;
    private final Set<LiveSubscriber> watchers = new LinkedHashSet<>();
    private final ChangeDetector changes = new ChangeDetector();
    private @Nullable Instant from;
    private @Nullable Cancellable polls;

    LivePoll(LiveQuery query, Gatherer gatherer, Clock clock, int maxBuckets, HeldMemory.Share held) {
        this.query = query;
        this.gatherer = gatherer;
        this.clock = clock;
        this.maxBuckets = maxBuckets;
        this.held = held;
    }

    /** @param broken is run if polling ends by a fault; no watcher may be added from then on */
    void start(Duration interval, ScheduledExecutorService timer, Runnable broken) {
        polls = Multi.createFrom().ticks().onExecutor(timer).every(interval).onOverflow().drop()
                .onItem().transformToUniAndConcatenate(tick -> look())
                .subscribe().with(looked -> {
                }, failure -> {
                    broken.run();
                    end(failure);
                });
    }

    void end() {
        held.release();
        Cancellable started = polls;
        if (started != null) {
            started.cancel();
        }
    }

    /** Ends all watchers for a fault, each on its own: one of them may be the fault. */
    private void end(Throwable fault) {
        held.release();
        LOG.error(fault, "polling for live streams stopped; their clients may reconnect",
                LogKey.REASON.of(Reason.INTERNAL.word()));
        for (LiveSubscriber watcher : watchers()) {
            watcher.fail(fault, true);
            try {
                watcher.flush();
            } catch (RuntimeException e) {
                LOG.error(e, "live stream not ended; its client waits until it disconnects",
                        LogKey.REASON.of(Reason.INTERNAL.word()));
            }
        }
    }

    /** The watchers now. */
    synchronized List<LiveSubscriber> watchers() {
        return List.copyOf(watchers);
    }

    /** Adds a watcher, which first receives all that is known. */
    synchronized void add(LiveSubscriber watcher) {
        watchers.add(watcher);
        if (from != null) {
            watcher.add(from, changes.known(), null);
        }
    }

    /**
     * Removes a watcher.
     *
     * @return whether none is left
     */
    synchronized boolean remove(LiveSubscriber watcher) {
        watchers.remove(watcher);
        return watchers.isEmpty();
    }

    private Uni<Void> look() {
        return Uni.createFrom().deferred(() -> {
            TimeRange watched = query.watched(clock.instant());
            return read(gatherer, query, watched, maxBuckets)
                    .onItem().invoke(gathered -> publish(watched.from(), gathered));
        }).replaceWithVoid().onFailure().recoverWithUni(failure -> {
            publish(failure);
            return Uni.createFrom().voidItem();
        });
    }

    /** All buckets of a range; fails if there are too many. */
    static Uni<GatherResult<List<Bucket>>> read(Gatherer gatherer, LiveQuery query, TimeRange range, int maxBuckets) {
        GatherRequest request = new GatherRequest(query.scope(), query.plan(range),
                GatherRequest.Order.ASCENDING, maxBuckets + 1L, query.options());
        return gatherer.list(request).onItem().invoke(gathered -> {
            if (gathered.result().size() > maxBuckets) {
                throw Parameters.invalid(QueryParameter.WINDOW, "expected at most " + maxBuckets
                        + " buckets to watch: use a shorter window, or labels with a prefix");
            }
        });
    }

    private void publish(Instant watchedFrom, GatherResult<List<Bucket>> gathered) {
        held.set(gathered.result().stream().mapToLong(bucket -> HeldSize.of(bucket.label().values(), bucket.values())).sum());
        List<LiveSubscriber> all;
        synchronized (this) {
            List<Bucket> changed = changes.look(watchedFrom, gathered.result());
            from = watchedFrom;
            all = List.copyOf(watchers);
            all.forEach(watcher -> watcher.add(watchedFrom, changed, gathered.report()));
        }
        // Outside the lock, as what follows may take its time or come back here.
        all.forEach(LiveSubscriber::flush);
    }

    /** A failure of the table may pass until the next poll; any other does not. */
    private void publish(Throwable failure) {
        if (!(failure instanceof InvalidInputException) && GatherException.reasonOf(failure) == Reason.INTERNAL) {
            LOG.error(failure, "poll for live streams failed, the streams end", LogKey.REASON.of(Reason.INTERNAL.word()));
        }
        List<LiveSubscriber> all = watchers();
        all.forEach(watcher -> watcher.fail(failure, !(failure instanceof GatherException)));
        all.forEach(LiveSubscriber::flush);
    }
}
