package dev.windrow.gather.fanout;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ScheduledExecutorService;
import java.util.function.Supplier;

import dev.windrow.base.Joined;
import dev.windrow.base.Reason;
import dev.windrow.dataset.Column;
import dev.windrow.gather.plan.QueryPlan;
import dev.windrow.gather.plan.ShardQuery;
import dev.windrow.gather.rank.RankOrder;
import dev.windrow.gather.rank.RankPlace;
import dev.windrow.gather.read.GatherException;
import dev.windrow.gather.read.ItemReader;
import dev.windrow.gather.read.ShardPage;
import dev.windrow.gather.read.ShardReader;
import io.smallrye.mutiny.Multi;
import io.smallrye.mutiny.Uni;

/** Reads leaderboards for one answer, by its deadline. */
public final class RankSession {

    private final GatherRequest request;
    private final ShardReader reader;
    private final PageSizes pageSizes;
    private final Deadline deadline;
    private final ScheduledExecutorService timer;
    private final GatherReport report;
    private final Set<String> failed = ConcurrentHashMap.newKeySet();

    /** @param timer ends waits for shards */
    RankSession(GatherRequest request, ShardReader reader, PageSizes pageSizes, Deadline deadline,
            ScheduledExecutorService timer) {
        this.request = request;
        this.reader = reader;
        this.pageSizes = pageSizes;
        this.deadline = deadline;
        this.timer = timer;
        this.report = new GatherReport(request.options(), request.plan());
        report.addShards(request.plan().stages().stream().mapToInt(stage -> stage.shards().size()).sum());
    }

    public GatherReport report() {
        return report;
    }

    /**
     * Finds the first labels after a place, in order. Labels with equal numbers are ordered by label, but the index has them in
     * no order, so all labels with the number of the last one are read.
     *
     * @param stage the reads, in the order of numbers, from the place's number on
     * @param by the measure of the leaderboard
     */
    public Uni<RankSearch> first(QueryPlan.Stage stage, Column by, RankOrder order, Optional<RankPlace> after, int wanted) {
        return Uni.createFrom().deferred(() -> {
            RankSearch search = new RankSearch(stage.shards(), by, order, after, wanted);
            return Multi.createBy().repeating().uni(() -> round(search)).whilst(again -> again).collect().last()
                    .replaceWith(search);
        });
    }

    /** Reads a page of each shard that may hold wanted items; false if there is none. */
    private Uni<Boolean> round(RankSearch search) {
        List<RankSearch.Shard> due = search.due();
        if (due.isEmpty()) {
            return Uni.createFrom().item(false);
        }
        int shards = search.shards.size();
        return Joined.all(due.stream().map(shard -> {
            int limit = search.pageSize(shard, pageSizes.pageSize(shards, search.wanted), pageSizes.largest(shards));
            return page(shard.query, shard.position, limit).invoke(shard::take);
        }).toList()).map(read -> {
            search.merge();
            return true;
        });
    }

    public Uni<Long> count(QueryPlan.Stage stage) {
        return stage.shards().isEmpty() ? Uni.createFrom().item(0L)
                : Joined.all(stage.shards().stream().map(this::count).toList())
                        .map(counts -> counts.stream().mapToLong(Long::longValue).sum());
    }

    private Uni<Long> count(ShardQuery query) {
        return Uni.createFrom().deferred(() -> {
            RankSearch.Shard shard = new RankSearch.Shard(query);
            Uni<Boolean> next = Uni.createFrom().deferred(() -> page(query, shard.position, Integer.MAX_VALUE))
                    .invoke(shard::take).map(page -> !shard.ended);
            return Multi.createBy().repeating().uni(() -> next).whilst(more -> more).collect().last().map(last -> shard.items);
        });
    }

    /** Reads a page; empty if it failed and partial answers are accepted. */
    private Uni<Optional<ShardPage>> page(ShardQuery query, Optional<Map<String, String>> position, int limit) {
        return inTime(() -> reader.read(new ShardReader.Read(request.scope().dataset(), query, position, limit))).map(page -> {
            report.read(page);
            return Optional.of(page);
        }).onFailure(failure -> request.options().partial() && !isOtherSchema(failure)).recoverWithItem(failure -> {
            // Reported once, even if the shard is read for several purposes.
            if (failed.add(query.partitionKey())) {
                report.failed(query, GatherException.reasonOf(failure));
            }
            return Optional.empty();
        });
    }

    /** Whether the index is missing or not ready yet, so that something else must be read. */
    public static boolean isOtherSchema(Throwable failure) {
        return GatherException.reasonOf(failure) == Reason.SCHEMA_MISMATCH;
    }

    /** Adds reads of single items to the report. */
    public void read(ItemReader.Items items) {
        report.read(new ShardPage(List.of(), Optional.empty(), items.texts().size(), items.readUnits()));
    }

    /** Bounds reads of the answer by its deadline. */
    public <T> Uni<T> inTime(Supplier<Uni<T>> reads) {
        return deadline.read(left -> reads.get().ifNoItem().after(left).on(timer).failWith(Deadline::late));
    }

}
