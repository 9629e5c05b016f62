package dev.windrow.gather.fanout;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ScheduledFuture;

import dev.windrow.base.KeyCodec;
import dev.windrow.base.Reason;
import dev.windrow.gather.merge.Bucket;
import dev.windrow.gather.merge.KeyShardGroups;
import dev.windrow.gather.merge.ShardMerge;
import dev.windrow.gather.query.FilterSelectivity;
import dev.windrow.gather.query.PageSizes;
import dev.windrow.gather.query.QueryPlan;
import dev.windrow.table.Label;
import io.smallrye.mutiny.Uni;

/** Drives the merge of one stage's shards: reads, waits for the shards the merge cannot continue without, merges. */
final class StageReader {

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
            Arrivals arrivals = new Arrivals(emitter, !request.options().partial());
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
