package dev.windrow.gather.fanout;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.ScheduledExecutorService;

import dev.windrow.gather.merge.Bucket;
import dev.windrow.gather.query.PageSizes;
import dev.windrow.gather.query.QueryPlan;
import io.smallrye.mutiny.Multi;

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
}
