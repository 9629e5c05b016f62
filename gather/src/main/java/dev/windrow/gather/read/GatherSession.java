package dev.windrow.gather.read;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.function.Supplier;
import java.util.stream.IntStream;

import dev.windrow.base.Reason;
import dev.windrow.base.SharedTimer.TimerDelays;
import dev.windrow.gather.plan.Bucket;
import dev.windrow.gather.plan.QueryPlan;
import dev.windrow.gather.plan.QueryPlan.ShardQuery;
import dev.windrow.gather.read.Gatherer.GatherRequest;
import dev.windrow.gather.read.ShardMerge.KeyShardGroups;
import dev.windrow.gather.read.ShardMerge.ShardItem;
import dev.windrow.gather.read.ShardReader.ShardPage;
import io.smallrye.mutiny.Multi;
import io.smallrye.mutiny.Uni;
import io.smallrye.mutiny.subscription.Cancellable;

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
     * @param timeLeft how long the shards may be waited for, each time that one is
     * @param timer ends waits for shards
     */
    GatherSession(GatherRequest request, ShardReader reader, PageSizes pageSizes, Supplier<Duration> timeLeft,
            ScheduledExecutorService timer) {
        this.request = request;
        this.reader = reader;
        this.pageSizes = pageSizes;
        this.timeLeft = timeLeft;
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
                    shard.read(pageSize, largest);
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

        /** Whether they were in time; a failure is enough where nothing that follows can mend it. */
        private Uni<Boolean> starvedAnswered() {
            Duration left = timeLeft.get();
            if (TimerDelays.isOver(left)) {
                return Uni.createFrom().item(false);
            }
            List<CompletableFuture<ShardPage>> reads = IntStream.range(0, shards.size()).filter(merge::isStarved)
                    .mapToObj(i -> shards.get(i).outcome).toList();
            CompletableFuture<Void> answered = CompletableFuture.allOf(reads.toArray(CompletableFuture<?>[]::new))
                    .exceptionally(failure -> null);
            if (!request.options().partial()) {
                for (CompletableFuture<ShardPage> read : reads) {
                    var unused = read.exceptionally(failure -> {
                        answered.complete(null);
                        return null;
                    });
                }
            }
            return Uni.createFrom().completionStage(answered).replaceWith(true)
                    .ifNoItem().after(TimerDelays.atLeastShortest(left)).on(timer).recoverWithItem(false);
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
                if (shard.asked && shard.outcome.isDone() && !shard.cancelled) {
                    shard.asked = false;
                    try {
                        collect(i, shard.outcome.join());
                    } catch (CompletionException failed) {
                        fail(i, Objects.requireNonNull(failed.getCause()));
                    }
                    // The merge lets go of items one by one.
                    shard.outcome = new CompletableFuture<>();
                }
            }
        }

        private void collect(int number, ShardPage page) {
            report.read(page);
            report.dropped(page);
            itemsRead += page.scannedItems();
            itemsPassed += page.items().size();
            shards.get(number).ended(page);
            merge.feed(number, page.items(), page.next().isEmpty());
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

        private Bucket bucket(ShardItem whole) {
            return new Bucket(whole.group(), whole.label(), stage.granularity(), whole.values());
        }
    }

    /** One shard of a stage: where its reading stands. One thread at a time drives it; {@link #cancel} may come from any. */
    private final class ShardState {

        private static final int DRY_PAGE_GROWTH = 4;

        private final ShardQuery query;
        private Optional<Map<String, String>> position = Optional.empty();
        private int requested;
        private int dryPage;
        private boolean asked;
        /** Of the read under way, if one is; a read that is cancelled has none. */
        private CompletableFuture<ShardPage> outcome = new CompletableFuture<>();
        private volatile Cancellable reading = () -> {
        };
        private volatile boolean cancelled;

        ShardState(ShardQuery query) {
            this.query = query;
        }

        /** Reads a page; one that a filter let nothing through of is followed by one several times as long. */
        void read(int usual, int largest) {
            requested = dryPage == 0 ? usual : Math.max(usual, Math.min(largest, DRY_PAGE_GROWTH * dryPage));
            asked = true;
            reading = reader.read(new ShardReader.Read(request.scope().dataset(), query, position, requested))
                    .subscribe().with(outcome::complete, outcome::completeExceptionally);
            if (cancelled) {
                reading.cancel();
            }
        }

        void ended(ShardPage page) {
            position = page.next();
            dryPage = page.items().isEmpty() ? requested : 0;
        }

        /** Gives up the read under way, for good. */
        void cancel() {
            cancelled = true;
            reading.cancel();
        }
    }

    /**
     * How many items to read from each shard at a time. Shards of a hash get about equal shares, so a page of a limited answer
     * reads from each its share plus slack of three standard deviations: nearly always enough, while the whole limit from each
     * would read (and pay for) as many times too much as there are shards. A shard that runs out is read again.
     *
     * @param maxBuffered about how many items of one answer may be held at a time, over all shards
     */
    record PageSizes(int maxBuffered) {

        /** Largest page of an unlimited answer; with items of some hundred bytes still far below DynamoDB's 1 MB. */
        private static final int LARGEST = 1_000;
        private static final int SMALLEST = 10;
        private static final double SLACK_DEVIATIONS = 3;

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
