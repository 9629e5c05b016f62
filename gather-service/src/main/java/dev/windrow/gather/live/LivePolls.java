package dev.windrow.gather.live;

import java.time.Clock;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ScheduledExecutorService;

import dev.windrow.base.Reason;
import dev.windrow.gather.fanout.GatherException;
import dev.windrow.gather.fanout.GatherResult;
import dev.windrow.gather.fanout.Gatherer;
import dev.windrow.gather.fanout.HeldMemory;
import dev.windrow.gather.merge.Bucket;
import dev.windrow.gather.query.LiveQuery;
import dev.windrow.gather.query.TimeRange;
import io.smallrye.mutiny.Uni;

/** The polls in progress, one for each query, however many clients watch it. There are at most as many as clients. */
public final class LivePolls {

    private final Gatherer gatherer;
    private final Clock clock;
    private final ScheduledExecutorService timer;
    private final Duration interval;
    private final int maxBuckets;
    private final HeldMemory memory;
    private final Map<LiveQuery, LivePoll> watches = new HashMap<>();
    private boolean closed;

    /**
     * @param timer of the polls
     * @param interval time between two polls
     * @param maxBuckets maximum number of buckets of one query
     * @param memory holds what is watched, and what waits for each watcher
     */
    public LivePolls(Gatherer gatherer, Clock clock, ScheduledExecutorService timer, Duration interval, int maxBuckets,
            HeldMemory memory) {
        this.gatherer = gatherer;
        this.clock = clock;
        this.timer = timer;
        this.interval = interval;
        this.maxBuckets = maxBuckets;
        this.memory = memory;
    }

    /**
     * Adds a watcher, which must be removed in the end.
     *
     * @throws GatherException with {@link Reason#OVERLOADED} once they are closed
     */
    public synchronized LiveSubscriber join(LiveQuery query) {
        if (closed) {
            throw new GatherException(Reason.OVERLOADED, "this server is stopping");
        }
        // All that is watched, and as much again of what has left the window since.
        LiveSubscriber watcher = new LiveSubscriber(2 * maxBuckets, memory.share());
        LivePoll known = watches.get(query);
        LivePoll watch = known == null ? new LivePoll(query, gatherer, clock, maxBuckets, memory.share()) : known;
        watch.add(watcher);
        if (known == null) {
            watches.put(query, watch);
            watch.start(interval, timer, () -> remove(query, watch));
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

    private synchronized void remove(LiveQuery query, LivePoll broken) {
        watches.remove(query, broken);
    }

    /** Ends all watchers, each with what waits for it, and admits no more. */
    public void close() {
        List<LiveSubscriber> all;
        synchronized (this) {
            closed = true;
            all = watches.values().stream().flatMap(watch -> watch.watchers().stream()).toList();
        }
        // Outside the lock, as each leaves.
        all.forEach(LiveSubscriber::end);
    }

    /** Buckets from before the window, read once for one watcher. */
    public Uni<GatherResult<List<Bucket>>> earlier(LiveQuery query, TimeRange range) {
        return LivePoll.read(gatherer, query, range, maxBuckets);
    }

    /** How many queries are polled. */
    public synchronized int size() {
        return watches.size();
    }
}
