package dev.windrow.gather.read;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;

import dev.windrow.base.KeyCodec;
import dev.windrow.base.Reason;
import dev.windrow.base.SharedTimer.TimerDelays;
import dev.windrow.gather.plan.Bucket;
import dev.windrow.gather.plan.QueryPlan;
import dev.windrow.gather.plan.QueryPlan.ShardQuery;
import dev.windrow.gather.read.Gatherer.GatherRequest;
import dev.windrow.gather.read.ShardMerge.KeyShardGroups;
import dev.windrow.gather.read.ShardReader.ShardPage;
import dev.windrow.table.Label;
import io.smallrye.mutiny.Multi;
import io.smallrye.mutiny.Uni;
import io.smallrye.mutiny.subscription.UniEmitter;
import io.smallrye.mutiny.subscription.UniSubscriber;
import io.smallrye.mutiny.subscription.UniSubscription;

/**
 * One gather, top to bottom: the stages of the plan one after the other; in each, all shards are read at once, their pages
 * are merged as they arrive, and shards that run dry are read again until the stage has ended or no more is wanted.
 * Nothing is read ahead of demand but one page a shard, so a slow reader of a long answer slows the reads, and memory
 * stays the same however long it is. Cancelling the answer cancels every read.
 */
public final class GatherSession {

    private final GatherRequest request;
    private final ShardReader reader;
    private final PageSizes pageSizes;
    private final Clock clock;
    private final Instant deadline;
    private final ScheduledExecutorService timer;
    private final GatherReport report;

    /**
     * @param deadline when the answer must be there; a stream has the request's timeout for each wait instead
     * @param timer ends waits for shards
     */
    GatherSession(GatherRequest request, ShardReader reader, PageSizes pageSizes, Clock clock, Instant deadline,
            ScheduledExecutorService timer) {
        this.request = request;
        this.reader = reader;
        this.pageSizes = pageSizes;
        this.clock = clock;
        this.deadline = deadline;
        this.timer = timer;
        this.report = new GatherReport(request.options().freshness(), request.plan());
    }

    /**
     * The buckets in the requested order, as many as wanted if there are; to be subscribed to once. Fails with a
     * {@link GatherException} if no shard answers, or one fails and partial answers are not welcome.
     */
    @SuppressWarnings("PreferJavaTimeOverload") // wanted is a count, not a time
    public Multi<Bucket> buckets() {
        TimeLimit limit = new TimeLimit(request.streamed()
                ? request.options()::timeout
                : () -> Duration.between(clock.instant(), deadline), timer);
        Multi<QueryPlan.Stage> stages = Multi.createFrom().iterable(request.plan().stages());
        Multi<Bucket> buckets = request.order() == GatherRequest.Order.ANY
                ? stages.onItem().transformToMultiAndMerge(stage -> stage(stage, limit))
                : stages.onItem().transformToMultiAndConcatenate(stage -> stage(stage, limit));
        return buckets.select().first(request.wanted());
    }

    /** What happened so far. */
    public GatherReport report() {
        return report;
    }

    private Multi<Bucket> stage(QueryPlan.Stage stage, TimeLimit limit) {
        return Multi.createFrom().deferred(() -> {
            StageReader run = new StageReader(request, stage, reader, pageSizes, report, limit);
            return Multi.createBy().repeating().uni(run::nextBatch).whilst(batch -> !run.isFinished())
                    .onItem().<Bucket> disjoint()
                    .onTermination().invoke(run::cancel);
        });
    }

    /** Drives the merge of one stage's shards: reads, waits for the shards the merge cannot continue without, merges. */
    static final class StageReader {

        /** Maximum number of buckets emitted at a time; keeps the time between two checks of demand short. */
        private static final int MAX_IN_BATCH = 500;

        private final GatherRequest request;
        private final QueryPlan.Stage stage;
        private final ShardReader reader;
        private final PageSizes pageSizes;
        private final GatherReport report;
        private final TimeLimit limit;
        private final List<ShardState> shards;
        private final ShardMerge merge;
        private final KeyShardGroups groups = new KeyShardGroups();
        private final FilterSelectivity filterYield = new FilterSelectivity();
        private long taken;
        private boolean finished;
        private volatile boolean cancelled;

        StageReader(GatherRequest request, QueryPlan.Stage stage, ShardReader reader, PageSizes pageSizes, GatherReport report,
                TimeLimit limit) {
            this.request = request;
            this.stage = stage;
            this.reader = reader;
            this.pageSizes = pageSizes;
            this.report = report;
            this.limit = limit;
            this.shards = stage.shards().stream().map(ShardState::new).toList();
            this.merge = new ShardMerge(shards.size(), request.order() == GatherRequest.Order.DESCENDING);
            report.addShards(shards.size());
        }

        /** The next buckets, as many as are known to be complete; maybe none yet. */
        Uni<List<Bucket>> nextBatch() {
            collect();
            readAhead();
            if (cancelled) {
                return Uni.createFrom().nothing();
            }
            if (!merge.isStalled()) {
                return Uni.createFrom().item(this::drain);
            }
            return starvedAnswered().onItem().transform(inTime -> {
                collect();
                if (!inTime) {
                    giveUpStarved();
                }
                return drain();
            });
        }

        boolean isFinished() {
            return finished;
        }

        /** Gives up all reads under way, also those that another thread is just starting. */
        void cancel() {
            cancelled = true;
            shards.forEach(ShardState::cancel);
        }

        /** Reads each shard the merge waits for and, if everything is wanted, those it will soon wait for. */
        private void readAhead() {
            // One more, as a bucket is known to be whole when an item of another follows.
            long wanted = request.wanted() == Long.MAX_VALUE
                    ? Long.MAX_VALUE
                    : Math.max(1, request.wanted() - taken) * request.scope().dataset().keyShards() + 1;
            int pageSize = pageSizes.pageSize(Math.max(1, shards.size()), filterYield.toRead(wanted));
            int largest = pageSizes.largest(Math.max(1, shards.size()));
            int low = wanted == Long.MAX_VALUE ? Math.max(1, pageSize / 4) : 1;
            for (int i = 0; i < shards.size(); i++) {
                ShardState shard = shards.get(i);
                if (cancelled) {
                    return;
                }
                if (!shard.isAsked() && merge.isBelow(i, low)) {
                    int size = shard.pageSize(pageSize, largest);
                    shard.read(reader.read(
                            new ShardReader.Read(request.scope().dataset(), shard.query(), shard.position(), size)), size);
                    if (cancelled) {
                        shard.cancel();
                    }
                }
            }
        }

        /** Whether they were in time. */
        private Uni<Boolean> starvedAnswered() {
            if (limit.isOver()) {
                return Uni.createFrom().item(false);
            }
            return Uni.createFrom().emitter(emitter -> {
                ReadLatch arrivals = new ReadLatch(emitter, !request.options().partial());
                ScheduledFuture<?> expiry = limit.whenOver(arrivals::expire);
                emitter.onTermination(() -> expiry.cancel(false));
                for (int i = 0; i < shards.size(); i++) {
                    if (merge.isStarved(i)) {
                        shards.get(i).await(arrivals);
                    }
                }
                arrivals.allAdded();
            });
        }

        /** The time is up: what is not here now is not part of the answer. */
        private void giveUpStarved() {
            for (int i = 0; i < shards.size(); i++) {
                if (merge.isStarved(i)) {
                    shards.get(i).cancel();
                    fail(i, Deadline.late());
                }
            }
        }

        /** Feeds the merge with all answers that have come. */
        private void collect() {
            for (int i = 0; i < shards.size(); i++) {
                PendingRead ended = shards.get(i).takeEnded();
                if (ended != null) {
                    feed(i, ended);
                }
            }
        }

        private void feed(int number, PendingRead ended) {
            ShardPage page = ended.page();
            Throwable failure = ended.failure();
            if (page != null) {
                report.read(page);
                filterYield.add(page.scannedItems(), page.items().size());
                merge.feed(number, page.items(), page.next().isEmpty());
            } else if (failure != null) {
                fail(number, failure);
            }
        }

        private void fail(int number, Throwable failure) {
            Reason reason = GatherException.reasonOf(failure);
            report.failed(shards.get(number).query(), reason);
            // Items with other keys than expected are no part of an answer, and more of them may be anywhere.
            if (!request.options().partial() || RankSession.isOtherSchema(failure)) {
                throw new GatherException(reason, failure);
            }
            merge.feed(number, List.of(), true);
        }

        private List<Bucket> drain() {
            List<Bucket> batch = new ArrayList<>();
            while (merge.hasNext() && batch.size() < MAX_IN_BATCH) {
                groups.add(merge.next()).ifPresent(group -> batch.add(bucket(group)));
            }
            if (merge.isFinished()) {
                groups.end().ifPresent(group -> batch.add(bucket(group)));
                finished = true;
            }
            taken += batch.size();
            return batch;
        }

        private Bucket bucket(KeyShardGroups.Group group) {
            List<String> parts = KeyCodec.decode(group.position());
            return new Bucket(group.position(), new Label(parts.subList(1, parts.size())), stage.granularity(),
                    group.values());
        }
    }

    /**
     * One shard of a stage: where its reading stands. Used by one thread at a time, but for the outcome of a read, and for
     * {@link #cancel}.
     */
    static final class ShardState {

        private static final int DRY_PAGE_GROWTH = 4;

        private final ShardQuery query;
        private Optional<ShardPage.Position> position = Optional.empty();
        private int requested;
        private int dryPage;
        private volatile @Nullable PendingRead inFlight;

        ShardState(ShardQuery query) {
            this.query = query;
        }

        ShardQuery query() {
            return query;
        }

        Optional<ShardPage.Position> position() {
            return position;
        }

        boolean isAsked() {
            return inFlight != null;
        }

        /** The size of the next page: a page that a filter let nothing through of is followed by one several times as long. */
        int pageSize(int usual, int largest) {
            return dryPage == 0 ? usual : Math.max(usual, Math.min(largest, DRY_PAGE_GROWTH * dryPage));
        }

        /** @param limit the page's */
        void read(Uni<ShardPage> read, int limit) {
            requested = limit;
            PendingRead started = new PendingRead();
            inFlight = started;
            read.subscribe().withSubscriber(started);
        }

        /** Has the outcome of the read that is under way awaited, if one is. */
        void await(ReadLatch arrivals) {
            PendingRead read = inFlight;
            if (read != null) {
                arrivals.add(read);
            }
        }

        /** The read once it has its outcome; each is given once. */
        @Nullable
        PendingRead takeEnded() {
            PendingRead read = inFlight;
            if (read == null || !read.isEnded()) {
                return null;
            }
            inFlight = null;
            ShardPage page = read.page();
            if (page != null) {
                position = page.next();
                dryPage = page.items().isEmpty() ? requested : 0;
            }
            return read;
        }

        /** Gives up the read under way. */
        void cancel() {
            PendingRead read = inFlight;
            inFlight = null;
            if (read != null) {
                read.cancel();
            }
        }
    }

    /** A read under way and then its outcome: a page or a failure, which is a value here. Thread-safe. */
    static final class PendingRead implements UniSubscriber<ShardPage> {

        private @Nullable UniSubscription subscription;
        private @Nullable ShardPage page;
        private @Nullable Throwable failure;
        private @Nullable ReadLatch waiting;
        private boolean ended;

        @Override
        public void onSubscribe(UniSubscription read) {
            boolean late;
            synchronized (this) {
                subscription = read;
                late = ended;
            }
            if (late) {
                read.cancel();
            }
        }

        @Override
        public void onItem(ShardPage item) {
            end(item, null);
        }

        @Override
        public void onFailure(Throwable thrown) {
            end(null, thrown);
        }

        private void end(@Nullable ShardPage item, @Nullable Throwable thrown) {
            ReadLatch notified;
            synchronized (this) {
                page = item;
                failure = thrown;
                ended = true;
                subscription = null;
                notified = waiting;
            }
            if (notified != null) {
                notified.arrived(thrown != null);
            }
        }

        /** Notifies of the outcome, also if it is there already. */
        void onOutcome(ReadLatch arrivals) {
            boolean late;
            boolean failed;
            synchronized (this) {
                waiting = arrivals;
                late = ended;
                failed = failure != null;
            }
            if (late) {
                arrivals.arrived(failed);
            }
        }

        synchronized boolean isEnded() {
            return ended;
        }

        /** The page, once the read has ended; null if it failed. */
        synchronized @Nullable ShardPage page() {
            return page;
        }

        /** Why there is no page, once the read has ended; null if there is one. */
        synchronized @Nullable Throwable failure() {
            return failure;
        }

        /** Gives up the read. Who waits for it is not notified: a failure would reach those who have left. */
        void cancel() {
            UniSubscription running;
            synchronized (this) {
                running = subscription;
                ended = true;
                waiting = null;
            }
            if (running != null) {
                running.cancel();
            }
        }
    }

    /**
     * Waits for several reads: ends once the last of them has its outcome, the first has failed, or the time is over. Whatever
     * happens at the same time, it ends once, and not before all reads were added: what follows must not run beside that.
     * Thread-safe.
     */
    static final class ReadLatch {

        private final UniEmitter<? super Boolean> emitter;
        private final boolean failFast;
        /** One is for the caller that adds them. */
        private final AtomicInteger missing = new AtomicInteger(1);
        private volatile boolean allAdded;
        private volatile boolean failed;
        private volatile boolean timeOver;

        /**
         * @param emitter is given whether the reads came in time
         * @param failFast whether to end with the first failure, as nothing that follows can mend it
         */
        ReadLatch(UniEmitter<? super Boolean> emitter, boolean failFast) {
            this.emitter = emitter;
            this.failFast = failFast;
        }

        /** Adds a read to those that are waited for. */
        void add(PendingRead read) {
            missing.incrementAndGet();
            read.onOutcome(this);
        }

        /** All reads were added. */
        void allAdded() {
            allAdded = true;
            countDown();
        }

        /** A read has its outcome. */
        void arrived(boolean withFailure) {
            if (withFailure && failFast) {
                failed = true;
            }
            countDown();
        }

        /** The time for the wait is over. */
        void expire() {
            timeOver = true;
            endEarly();
        }

        private void countDown() {
            if (missing.decrementAndGet() == 0) {
                emitter.complete(true);
            } else {
                endEarly();
            }
        }

        private void endEarly() {
            if (allAdded && (failed || timeOver)) {
                emitter.complete(!timeOver);
            }
        }
    }

    /**
     * How long each wait for shards may last.
     *
     * @param left from now
     * @param timer ends waits
     */
    record TimeLimit(Supplier<Duration> left, ScheduledExecutorService timer) {

        /** Whether there is no time left for a wait. */
        boolean isOver() {
            return TimerDelays.isOver(left.get());
        }

        /** Runs an action once the time is over, unless it is cancelled before. */
        ScheduledFuture<?> whenOver(Runnable action) {
            return timer.schedule(action, TimerDelays.atLeastShortest(left.get()).toNanos(), TimeUnit.NANOSECONDS);
        }
    }

    /**
     * How many items to read from each shard at a time. Shards of a hash get about equal shares, so a page of a limited answer
     * reads from each its share plus slack of three standard deviations: nearly always enough, while the whole limit from each
     * would read (and pay for) as many times too much as there are shards. A shard that runs out is read again.
     */
    static final class PageSizes {

        /** Largest page of an unlimited answer; with items of some hundred bytes still far below DynamoDB's 1 MB. */
        private static final int LARGEST = 1_000;
        private static final int SMALLEST = 10;
        private static final double SLACK_DEVIATIONS = 3;

        private final int maxBuffered;

        /** @param maxBuffered about how many items of one answer may be held at a time, over all shards */
        PageSizes(int maxBuffered) {
            this.maxBuffered = maxBuffered;
        }

        /** The largest page of a shard, whatever is wanted. */
        public int largest(int shards) {
            return Math.max(SMALLEST, Math.min(LARGEST, maxBuffered / shards));
        }

        /**
         * Items to read from one shard.
         *
         * @param shards that are read alike
         * @param wanted items still missing over all shards; {@link Long#MAX_VALUE} for all there are
         */
        public int pageSize(int shards, long wanted) {
            int whole = largest(shards);
            if (shards == 1) {
                return (int) Math.min(wanted, whole);
            }
            double share = (double) Math.min(wanted, Integer.MAX_VALUE) / shards;
            double withSlack = Math.ceil(share + SLACK_DEVIATIONS * Math.sqrt(share)) + 1;
            return (int) Math.min(Math.min((long) withSlack, wanted), whole);
        }
    }

    /**
     * Estimates the share of items that a filter lets through, to choose page sizes. While nothing has passed, it assumes one
     * of all items read, so that pages grow severalfold from one to the next.
     */
    static final class FilterSelectivity {

        private long read;
        private long passed;

        /** Notes a page. */
        public void add(int itemsRead, int itemsPassed) {
            read += itemsRead;
            passed += itemsPassed;
        }

        /** How many items to read so that about as many pass as are wanted; {@link Long#MAX_VALUE} for all there are. */
        long toRead(long wanted) {
            return wanted == Long.MAX_VALUE ? wanted : (long) Math.ceil(wanted * ((read + 1.0) / (passed + 1.0)));
        }
    }
}
