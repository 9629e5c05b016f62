package dev.windrow.gather.fanout;

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
import dev.windrow.base.TimerDelays;
import dev.windrow.gather.plan.Bucket;
import dev.windrow.gather.plan.QueryPlan;
import dev.windrow.gather.plan.ShardQuery;
import dev.windrow.gather.read.GatherException;
import dev.windrow.gather.read.ShardItem;
import dev.windrow.gather.read.ShardPage;
import dev.windrow.gather.read.ShardReader;
import io.smallrye.mutiny.Multi;
import io.smallrye.mutiny.Uni;
import io.smallrye.mutiny.subscription.Cancellable;

/**
 * One gather. It reads the stages of the plan one after the other, or at once if the order does not matter. In each, it reads
 * all shards at once, merges their pages as they arrive, and reads shards that run dry again until the stage ends or no more is
 * wanted. It reads at most one page per shard ahead of demand, so a slow client slows the reads down, and memory stays constant
 * however long the answer is. Cancelling the answer cancels every read.
 */
public final class GatherSession {

    private final GatherRequest request;
    private final ShardReader reader;
    private final PageSizes pageSizes;
    private final Supplier<Duration> timeLeft;
    private final ScheduledExecutorService timer;
    private final GatherReport report;

    /**
     * @param timeLeft how long to wait for shards, asked before each wait
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
     * Returns the buckets in the requested order, up to the wanted number; to be subscribed to once. Fails with a
     * {@link GatherException} if no shard answers, or if one fails and partial answers are not accepted.
     */
    @SuppressWarnings("PreferJavaTimeOverload") // wanted is a count, not a time
    public Multi<Bucket> buckets() {
        Multi<QueryPlan.Stage> stages = Multi.createFrom().iterable(request.plan().stages());
        Multi<Bucket> buckets = request.order() == GatherOrder.ANY
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
        /** Number of shards that are read at the same time, and share the query's budget of items. */
        private final int together;
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
            this.together = Math.max(1, request.order() == GatherOrder.ANY
                    ? request.plan().stages().stream().mapToInt(each -> each.shards().size()).sum()
                    : shards.size());
            this.merge = new ShardMerge(shards.size(), request.order() == GatherOrder.DESCENDING);
            report.addShards(shards.size());
        }

        /** Returns the next buckets that are known to be complete; may be empty. */
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

        /** Cancels all reads in flight, including those that another thread is just starting. */
        void cancel() {
            cancelled = true;
            shards.forEach(ShardState::cancel);
        }

        /** Reads each shard the merge waits for and, if everything is wanted, those it will soon wait for. */
        private void readAhead() {
            // One more, because a bucket is known to be complete when an item of another one follows.
            long wanted = request.wanted() == Long.MAX_VALUE
                    ? Long.MAX_VALUE
                    : Math.max(1, request.wanted() - taken) * request.scope().dataset().keyShards() + 1;
            int pageSize = pageSizes.pageSize(together, toRead(wanted));
            int largest = pageSizes.largest(together);
            int low = wanted == Long.MAX_VALUE ? Math.max(1, pageSize / 4) : 1;
            for (int i = 0; i < shards.size() && !cancelled; i++) {
                ShardState shard = shards.get(i);
                if (!shard.asked && merge.isBelow(i, low)) {
                    shard.read(pageSize, largest);
                }
            }
        }

        /**
         * Estimates how many items to read so that about as many pass a filter as are wanted. While none has passed, it assumes
         * that one of the items read did, so that pages grow severalfold from one to the next.
         */
        private long toRead(long wanted) {
            return wanted == Long.MAX_VALUE ? wanted : (long) Math.ceil(wanted * ((itemsRead + 1.0) / (itemsPassed + 1.0)));
        }

        /** Waits for the starved shards; false if they are late. Without partial answers, one failure ends the wait. */
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

        /** Fails the shards that the merge still waits for, because the time is up. */
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
                    // Drops the page, so that items are freed one by one as the merge takes them.
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
            // Items with unexpected keys must not be part of an answer, and any shard may have more of them.
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

    /** The read state of one shard of a stage. Driven by one thread at a time; any thread may call {@link #cancel}. */
    private final class ShardState {

        private static final int DRY_PAGE_GROWTH = 4;

        private final ShardQuery query;
        private Optional<Map<String, String>> position = Optional.empty();
        private int requested;
        private int dryPage;
        private boolean asked;
        /** The outcome of the read in flight, if any; a cancelled read never completes it. */
        private CompletableFuture<ShardPage> outcome = new CompletableFuture<>();
        private volatile Cancellable reading = () -> {
        };
        private volatile boolean cancelled;

        ShardState(ShardQuery query) {
            this.query = query;
        }

        /** Reads a page; if the filter let no item of the last page through, one several times as long. */
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

        /** Cancels the read in flight and all later ones. */
        void cancel() {
            cancelled = true;
            reading.cancel();
        }
    }

}
