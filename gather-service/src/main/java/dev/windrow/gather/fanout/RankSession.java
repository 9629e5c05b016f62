package dev.windrow.gather.fanout;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;

import dev.windrow.base.Joined;
import dev.windrow.base.Reason;
import dev.windrow.base.SharedTimer.TimerDelays;
import dev.windrow.gather.query.PageSizes;
import dev.windrow.gather.query.QueryPlan;
import dev.windrow.gather.query.RankOrder;
import dev.windrow.gather.query.RankOrder.Place;
import dev.windrow.gather.query.ShardQuery;
import io.smallrye.mutiny.Multi;
import io.smallrye.mutiny.Uni;

/** Reads leaderboards for one answer, by its deadline. */
public final class RankSession {

    private final GatherRequest request;
    private final ShardReader reader;
    private final PageSizes pageSizes;
    private final Clock clock;
    private final Instant deadline;
    private final GatherReport report;
    private final Set<String> failed = ConcurrentHashMap.newKeySet();

    /** @param deadline when the answer must be there */
    RankSession(GatherRequest request, ShardReader reader, PageSizes pageSizes, Clock clock, Instant deadline) {
        this.request = request;
        this.reader = reader;
        this.pageSizes = pageSizes;
        this.clock = clock;
        this.deadline = deadline;
        this.report = new GatherReport(request.options().freshness(), request.plan());
        report.addShards(request.plan().stages().stream().mapToInt(stage -> stage.shards().size()).sum());
    }

    /** What happened so far. */
    public GatherReport report() {
        return report;
    }

    /**
     * The first labels beyond a place, in order. Labels with equal numbers are ordered by label, but the index has them in
     * no order, so all that have the number of the last one are read.
     *
     * @param stage the reads, in the order of numbers, from the place's number on
     * @param measure the index of the measure in the dataset
     */
    public Uni<RankSearch> first(QueryPlan.Stage stage, int measure, RankOrder order, Optional<Place> after, int wanted) {
        return Uni.createFrom().deferred(() -> {
            RankSearch search = new RankSearch(stage.shards(), measure, order, after, wanted);
            return Multi.createBy().repeating().uni(() -> round(search)).whilst(again -> again).collect().last()
                    .replaceWith(search);
        });
    }

    /** Reads a page of each shard that may hold what is wanted; whether there is more to read. */
    private Uni<Boolean> round(RankSearch search) {
        List<RankSearch.Shard> due = search.due();
        if (due.isEmpty()) {
            return Uni.createFrom().item(false);
        }
        int shards = search.shards();
        return Joined.all(due.stream().map(shard -> {
            int limit = search.pageSize(shard, pageSizes.pageSize(shards, search.wanted()), pageSizes.largest(shards));
            return page(shard.query(), shard.position(), limit).invoke(page -> page.ifPresentOrElse(shard::take, shard::end));
        }).toList()).map(read -> {
            search.merge();
            return true;
        });
    }

    /** How many items are in the ranges of all shards. */
    public Uni<Long> count(QueryPlan.Stage stage) {
        return stage.shards().isEmpty() ? Uni.createFrom().item(0L)
                : Joined.all(stage.shards().stream().map(this::count).toList())
                        .map(counts -> counts.stream().mapToLong(Long::longValue).sum());
    }

    private Uni<Long> count(ShardQuery query) {
        return Uni.createFrom().deferred(() -> {
            RankSearch.Shard shard = new RankSearch.Shard(query);
            Uni<Boolean> next = Uni.createFrom().deferred(() -> page(query, shard.position(), Integer.MAX_VALUE))
                    .map(page -> {
                        page.ifPresentOrElse(shard::take, shard::end);
                        return !shard.isEnded();
                    });
            return Multi.createBy().repeating().uni(() -> next).whilst(more -> more).collect().last()
                    .map(last -> shard.items());
        });
    }

    /** A page; empty if it failed and partial answers are welcome. */
    private Uni<Optional<ShardPage>> page(ShardQuery query, Optional<ShardPage.Position> position, int limit) {
        return inTime(() -> reader.read(new ShardReader.Read(request.scope().dataset(), query, position, limit))).map(page -> {
            report.read(page);
            return Optional.of(page);
        }).onFailure(failure -> request.options().partial() && !isOtherSchema(failure)).recoverWithItem(failure -> {
            // Once, though it is read for several ends.
            if (failed.add(query.partitionKey())) {
                report.failed(query, GatherException.reasonOf(failure));
            }
            return Optional.empty();
        });
    }

    /** The index is not there, or not yet: something else must be read. */
    public static boolean isOtherSchema(Throwable failure) {
        return GatherException.reasonOf(failure) == Reason.SCHEMA_MISMATCH;
    }

    /** Adds what single items cost. */
    void read(ItemReader.Items items) {
        report.read(new ShardPage(List.of(), Optional.empty(), items.texts().size(), items.readUnits()));
    }

    /** Bounds reads of the answer by its deadline. */
    <T> Uni<T> inTime(Supplier<Uni<T>> reads) {
        return Uni.createFrom().deferred(() -> {
            Duration left = Duration.between(clock.instant(), deadline);
            return TimerDelays.isOver(left)
                    ? Uni.createFrom().failure(Deadline.late())
                    : reads.get().ifNoItem().after(left).failWith(Deadline::late);
        });
    }
}
