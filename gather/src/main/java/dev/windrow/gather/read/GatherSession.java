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
    private final Supplier<Duration> timeLeft;
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
        this.timeLeft = request.streamed() ? request.options()::timeout : () -> Duration.between(clock.instant(), deadline);
        this.timer = timer;
        this.report = new GatherReport(request.options(), request.plan());
    }

    /**
     * The buckets in the requested order, as many as wanted if there are; to be subscribed to once. Fails with a
     * {@link GatherException} if no shard answers, or one fails and partial answers are not welcome.
     */
    @SuppressWarnings("PreferJavaTimeOverload") // wanted is a count, not a time
    public Multi<Bucket> buckets() {
        Multi<QueryPlan.Stage> stages = Multi.createFrom().iterable(request.plan().stages());
        Multi<Bucket> buckets = request.order() == GatherRequest.Order.ANY
                ? stages.onItem().transformToMultiAndMerge(this::stage)
                : stages.onItem().transformToMultiAndConcatenate(this::stage);
        return buckets.select().first(request.wanted());
    }

    public GatherReport report() {
        return report;
    }

    private Multi<Bucket> stage(QueryPlan.Stage stage) {
        return Multi.createFrom().deferred(() -> {
            StageReader run = new StageReader(stage);
            return Multi.createBy().repeating().uni(run::nextBatch).whilst(batch -> !run.finished)
                    .onItem().<Bucket> disjoint()
                    .onTermination().invoke(run::cancel);
        });
    }

    /** Drives the merge of one stage's shards: reads, waits for the shards the merge cannot continue without, merges. */
    private final class StageReader {

        /** Maximum number of buckets emitted at a time; keeps the time between two checks of demand short. */
        private static final int MAX_IN_BATCH = 500;

        private final QueryPlan.Stage stage;
        private final List<ShardState> shards;
        private final ShardMerge merge;
        private final KeyShardGroups groups = new KeyShardGroups();
        private long itemsRead;
        private long itemsPassed;
        private long taken;
        private boolean finished;
        private volatile boolean cancelled;

        StageReader(QueryPlan.Stage stage) {
            this.stage = stage;
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
            int pageSize = pageSizes.pageSize(Math.max(1, shards.size()), toRead(wanted));
            int largest = pageSizes.largest(Math.max(1, shards.size()));
            int low = wanted == Long.MAX_VALUE ? Math.max(1, pageSize / 4) : 1;
            for (int i = 0; i < shards.size() && !cancelled; i++) {
                ShardState shard = shards.get(i);
                if (!shard.asked && merge.isBelow(i, low)) {
                    int size = shard.pageSize(pageSize, largest);
                    shard.read(reader.read(
                            new ShardReader.Read(request.scope().dataset(), shard.query, shard.position, size)), size);
                }
            }
        }

        /**
         * How many items to read so that about as many pass a filter as are wanted. While nothing has passed, it assumes one of
         * all items read, so that pages grow severalfold from one to the next.
         */
        private long toRead(long wanted) {
            return wanted == Long.MAX_VALUE ? wanted : (long) Math.ceil(wanted * ((itemsRead + 1.0) / (itemsPassed + 1.0)));
        }

        /** Whether they were in time. */
        private Uni<Boolean> starvedAnswered() {
            if (TimerDelays.isOver(timeLeft.get())) {
                return Uni.createFrom().item(false);
            }
            return Uni.createFrom().emitter(emitter -> {
                ReadLatch arrivals = new ReadLatch(emitter, !request.options().partial());
                ScheduledFuture<?> expiry = timer.schedule(arrivals::expire,
                        TimerDelays.atLeastShortest(timeLeft.get()).toNanos(), TimeUnit.NANOSECONDS);
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

        private void collect() {
            for (int i = 0; i < shards.size(); i++) {
                ShardState shard = shards.get(i);
                if (shard.takeEnded()) {
                    ShardPage page = shard.page;
                    Throwable failure = shard.failure;
                    // The merge lets go of items one by one.
                    shard.page = null;
                    if (page != null) {
                        report.read(page);
                        report.dropped(page);
                        itemsRead += page.scannedItems();
                        itemsPassed += page.items().size();
                        merge.feed(i, page.items(), page.next().isEmpty());
                    } else if (failure != null) {
                        fail(i, failure);
                    }
                }
            }
        }

        private void fail(int number, Throwable failure) {
            Reason reason = GatherException.reasonOf(failure);
            report.failed(shards.get(number).query, reason);
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
     * One shard of a stage: where its reading stands, and the read under way, if one is. One thread at a time drives it; the
     * outcome of a read, and {@link #cancel}, may come from any.
     */
    static final class ShardState implements UniSubscriber<ShardPage> {

        private static final int DRY_PAGE_GROWTH = 4;

        private final ShardQuery query;
        private Optional<ShardPage.Position> position = Optional.empty();
        private int requested;
        private int dryPage;
        private volatile boolean asked;
        private boolean ended;
        private boolean cancelled;
        private @Nullable ShardPage page;
        private @Nullable Throwable failure;
        private @Nullable UniSubscription subscription;
        private @Nullable ReadLatch waiting;

        ShardState(ShardQuery query) {
            this.query = query;
        }

        /** The size of the next page: a page that a filter let nothing through of is followed by one several times as long. */
        private int pageSize(int usual, int largest) {
            return dryPage == 0 ? usual : Math.max(usual, Math.min(largest, DRY_PAGE_GROWTH * dryPage));
        }

        /** @param limit the page's */
        void read(Uni<ShardPage> read, int limit) {
            requested = limit;
            asked = true;
            read.subscribe().withSubscriber(this);
        }

        @Override
        public void onSubscribe(UniSubscription read) {
            boolean late;
            synchronized (this) {
                subscription = read;
                late = cancelled;
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
                waiting = null;
            }
            if (notified != null) {
                notified.arrived(thrown != null);
            }
        }

        /** Has the outcome of the read that is under way awaited, if one is, also if it is there already. */
        void await(ReadLatch arrivals) {
            boolean late;
            boolean failed;
            synchronized (this) {
                if (!asked || cancelled) {
                    return;
                }
                arrivals.add();
                waiting = ended ? null : arrivals;
                late = ended;
                failed = failure != null;
            }
            if (late) {
                arrivals.arrived(failed);
            }
        }

        /** Whether the read under way has its outcome, page or failure, which is taken now. */
        private synchronized boolean takeEnded() {
            if (!asked || !ended || cancelled) {
                return false;
            }
            asked = false;
            ended = false;
            if (page != null) {
                position = page.next();
                dryPage = page.items().isEmpty() ? requested : 0;
            }
            return true;
        }

        /**
         * Gives up the read under way, for good. Who waits for it is not notified: a failure would reach those who have left.
         */
        void cancel() {
            UniSubscription running;
            synchronized (this) {
                running = subscription;
                cancelled = true;
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

        void add() {
            missing.incrementAndGet();
        }

        void allAdded() {
            allAdded = true;
            countDown();
        }

        void arrived(boolean withFailure) {
            if (withFailure && failFast) {
                failed = true;
            }
            countDown();
        }

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
}
