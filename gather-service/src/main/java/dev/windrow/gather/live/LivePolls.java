package dev.windrow.gather.live;

import java.time.Clock;
import java.time.Instant;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ScheduledExecutorService;

import org.jspecify.annotations.Nullable;

import dev.windrow.base.InvalidInputException;
import dev.windrow.base.LogKey;
import dev.windrow.base.Reason;
import dev.windrow.base.StructuredLogger;
import dev.windrow.gather.fanout.Execution;
import dev.windrow.gather.fanout.GatherOrder;
import dev.windrow.gather.fanout.GatherRequest;
import dev.windrow.gather.fanout.Gatherer;
import dev.windrow.gather.fanout.HeldMemory;
import dev.windrow.gather.fanout.HeldSize;
import dev.windrow.gather.parameter.Parameters;
import dev.windrow.gather.parameter.QueryParameter;
import dev.windrow.gather.plan.Bucket;
import dev.windrow.gather.range.TimeRange;
import dev.windrow.gather.read.GatherException;
import dev.windrow.table.Utf8Order;
import io.smallrye.mutiny.Multi;
import io.smallrye.mutiny.Uni;
import io.smallrye.mutiny.subscription.Cancellable;

/** The running polls: one per query, however many clients watch it, so there are at most as many as clients. */
public final class LivePolls {

    private static final StructuredLogger LOG = StructuredLogger.of(LivePolls.class);

    private final Gatherer gatherer;
    private final Clock clock;
    private final ScheduledExecutorService timer;
    private final LiveSettings settings;
    private final HeldMemory memory;
    private final Map<LiveQuery, LivePoll> watches = new HashMap<>();
    private boolean closed;

    /** @param memory holds the watched buckets, and the pending changes of each watcher */
    public LivePolls(Gatherer gatherer, Clock clock, ScheduledExecutorService timer, LiveSettings settings, HeldMemory memory) {
        this.gatherer = gatherer;
        this.clock = clock;
        this.timer = timer;
        this.settings = settings;
        this.memory = memory;
    }

    /**
     * Adds a watcher, which must be removed in the end.
     *
     * @throws GatherException with {@link Reason#OVERLOADED} after {@link #close()}
     */
    public synchronized LiveSubscriber join(LiveQuery query) {
        if (closed) {
            throw new GatherException(Reason.OVERLOADED, "this server is stopping");
        }
        // Room for all watched buckets, and as many that have left the window since.
        LiveSubscriber watcher = new LiveSubscriber(2 * settings.maxBuckets(), memory.share());
        LivePoll known = watches.get(query);
        LivePoll watch = known == null ? new LivePoll(query) : known;
        watch.add(watcher);
        if (known == null) {
            watches.put(query, watch);
            watch.start();
        }
        return watcher;
    }

    /** Removes a watcher; a poll without watchers ends. */
    public synchronized void leave(LiveQuery query, LiveSubscriber watcher) {
        watcher.release();
        LivePoll watch = watches.get(query);
        if (watch != null && watch.remove(watcher)) {
            watches.remove(query);
            watch.end();
        }
    }

    /** Removes a poll that ended by a fault, so that no watcher is added to it. */
    private synchronized void drop(LivePoll broken) {
        watches.remove(broken.query, broken);
    }

    /** Ends all watchers after their pending changes, and admits no more. */
    public void close() {
        List<LiveSubscriber> all;
        synchronized (this) {
            closed = true;
            all = watches.values().stream().flatMap(watch -> watch.watchers().stream()).toList();
        }
        // Outside the lock, because each watcher then leaves.
        all.forEach(LiveSubscriber::end);
    }

    /** Reads all buckets of a range; fails if there are too many. */
    public Uni<Execution<List<Bucket>>> read(LiveQuery query, TimeRange range) {
        GatherRequest request = new GatherRequest(query.scope(), query.plan(range),
                GatherOrder.ASCENDING, settings.maxBuckets() + 1L, query.options());
        return gatherer.list(request).onItem().invoke(gathered -> {
            if (gathered.result().size() > settings.maxBuckets()) {
                throw Parameters.invalid(QueryParameter.WINDOW, "expected at most " + settings.maxBuckets()
                        + " buckets to watch: use a shorter window, or labels with a prefix");
            }
        });
    }

    public synchronized int size() {
        return watches.size();
    }

    /** Polls the buckets of one query for all watchers: one read per shard and poll, regardless of their number. */
    private final class LivePoll {

        private final LiveQuery query;
        private final HeldMemory.Share held = memory.share();
        private final Set<LiveSubscriber> watchers = new LinkedHashSet<>();
        /** The watched buckets as of the last poll, in key order; bounded by the window and the limit on its buckets. */
        private final NavigableMap<String, Bucket> known = new TreeMap<>(Utf8Order.ASCENDING);
        private @Nullable Instant from;
        private Cancellable polls = () -> {
        };

        LivePoll(LiveQuery query) {
            this.query = query;
        }

        void start() {
            polls = Multi.createFrom().ticks().onExecutor(timer).every(settings.pollInterval()).onOverflow().drop()
                    .onItem().transformToUniAndConcatenate(tick -> look())
                    .subscribe().with(looked -> {
                    }, failure -> {
                        drop(this);
                        end(failure);
                    });
        }

        void end() {
            held.release();
            polls.cancel();
        }

        /** Ends all watchers after a fault, each separately: one of them may have caused it. */
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

        synchronized List<LiveSubscriber> watchers() {
            return List.copyOf(watchers);
        }

        /** Adds a watcher, which first receives all known buckets. */
        synchronized void add(LiveSubscriber watcher) {
            watchers.add(watcher);
            if (from != null) {
                watcher.add(from, List.copyOf(known.values()), null);
            }
        }

        /**
         * Removes a watcher.
         *
         * @return whether no watcher is left
         */
        synchronized boolean remove(LiveSubscriber watcher) {
            watchers.remove(watcher);
            return watchers.isEmpty();
        }

        private Uni<Void> look() {
            return Uni.createFrom().deferred(() -> {
                TimeRange watched = query.watched(clock.instant());
                return read(query, watched).onItem().invoke(gathered -> publish(watched.from(), gathered));
            }).replaceWithVoid().onFailure().recoverWithUni(failure -> {
                publish(failure);
                return Uni.createFrom().voidItem();
            });
        }

        private void publish(Instant watchedFrom, Execution<List<Bucket>> gathered) {
            held.set(gathered.result().stream().mapToLong(bucket -> HeldSize.of(bucket.label().values(), bucket.values()))
                    .sum());
            List<LiveSubscriber> all;
            synchronized (this) {
                List<Bucket> changed = changed(watchedFrom, gathered.result());
                from = watchedFrom;
                all = List.copyOf(watchers);
                all.forEach(watcher -> watcher.add(watchedFrom, changed, gathered.report()));
            }
            // Outside the lock, because flushing may take a while or call back into this class.
            all.forEach(LiveSubscriber::flush);
        }

        /** Reports a failed poll. A failure of the table may pass before the next poll; any other failure ends the streams. */
        private void publish(Throwable failure) {
            if (!(failure instanceof InvalidInputException) && GatherException.reasonOf(failure) == Reason.INTERNAL) {
                LOG.error(failure, "poll for live streams failed, the streams end", LogKey.REASON.of(Reason.INTERNAL.word()));
            }
            List<LiveSubscriber> all = watchers();
            all.forEach(watcher -> watcher.fail(failure, !(failure instanceof GatherException)));
            all.forEach(LiveSubscriber::flush);
        }

        /** Returns the buckets that are new or have other values than at the last poll. */
        private List<Bucket> changed(Instant watchedFrom, List<Bucket> current) {
            known.values().removeIf(bucket -> bucket.start().isBefore(watchedFrom));
            return current.stream().filter(bucket -> {
                Bucket before = known.put(bucket.position(), bucket);
                return before == null || !before.values().equals(bucket.values());
            }).toList();
        }
    }

}
