package dev.windrow.gather.read;

import java.math.BigDecimal;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ScheduledExecutorService;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;

import dev.windrow.base.Joined;
import dev.windrow.base.Reason;
import dev.windrow.dataset.Column;
import dev.windrow.gather.plan.MeasureValues;
import dev.windrow.gather.plan.QueryPlan;
import dev.windrow.gather.plan.QueryPlan.ShardQuery;
import dev.windrow.gather.plan.RankPlan.RankOrder;
import dev.windrow.gather.plan.RankPlan.RankOrder.Place;
import dev.windrow.gather.read.GatherSession.PageSizes;
import dev.windrow.gather.read.Gatherer.GatherRequest;
import dev.windrow.gather.read.ShardMerge.ShardItem;
import dev.windrow.gather.read.ShardReader.ShardPage;
import dev.windrow.table.Label;
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
    public Uni<RankSearch> first(QueryPlan.Stage stage, Column by, RankOrder order, Optional<Place> after, int wanted) {
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

    /** Finds the first items of several shards, each ordered by number, but with equal numbers in no order. Not thread-safe. */
    public static final class RankSearch {

        private static final int PAGE_GROWTH = 4;

        private final List<Shard> shards;
        private final Column by;
        private final RankOrder order;
        private final Optional<Place> after;
        private final int wanted;
        private final SortedMap<BigDecimal, Integer> counts;
        /** The first items so far, the last of them on top. */
        private final PriorityQueue<Item> best;
        private final Set<Label> held = new HashSet<>();
        private List<Item> first = List.of();

        RankSearch(List<ShardQuery> queries, Column by, RankOrder order, Optional<Place> after, int wanted) {
            this.shards = queries.stream().map(Shard::new).toList();
            this.by = by;
            this.order = order;
            this.after = after;
            this.wanted = wanted;
            this.counts = new TreeMap<>(order.numbers());
            this.best = new PriorityQueue<>(Comparator.comparing(Item::place, order.reversed().places()));
        }

        /**
         * An item that was found.
         *
         * @param place where it is in the list
         * @param values the measure of the list only
         */
        public record Item(Place place, MeasureValues values) {
        }

        public List<Item> first() {
            return first;
        }

        /** The count of items after the place for each number, up to the number of the last item. */
        public SortedMap<BigDecimal, Integer> counts() {
            return counts;
        }

        /** The shards that may have more of the first items, or items with the same number as the last one. */
        List<Shard> due() {
            return shards.stream().filter(shard -> {
                BigDecimal last = shard.last == null ? null : shown(shard.last);
                return !shard.ended && (last == null || first.size() < wanted
                        || order.numbers().compare(last, first.get(wanted - 1).place().number()) <= 0);
            }).toList();
        }

        int pageSize(Shard shard, int usual, int largest) {
            shard.page = shard.page == 0 ? Math.max(1, usual) : Math.min(Math.max(largest, usual), PAGE_GROWTH * shard.page);
            return shard.page;
        }

        /** Merges the pages that the shards have read. */
        void merge() {
            for (Shard shard : shards) {
                shard.read.forEach(this::add);
                shard.read = List.of();
            }
            first = best.stream().sorted(Comparator.comparing(Item::place, order.places())).toList();
            if (first.size() == wanted) {
                BigDecimal last = first.get(wanted - 1).place().number();
                counts.keySet().removeIf(number -> order.numbers().compare(number, last) > 0);
            }
        }

        private void add(ShardItem item) {
            BigDecimal number = shown(item);
            Item last = best.peek();
            if (last != null && best.size() == wanted && order.numbers().compare(number, last.place().number()) > 0) {
                return;
            }
            Place place = new Place(number, item.label());
            if (after.isPresent() && order.places().compare(place, after.get()) <= 0) {
                return;
            }
            // A label whose value changes between two pages may be read twice. It keeps its first place: items that it
            // displaced from the list may be gone.
            if (held.add(place.label())) {
                counts.merge(number, 1, Integer::sum);
                best.add(new Item(place, item.values()));
                if (best.size() > wanted) {
                    held.remove(best.remove().place().label());
                }
            }
        }

        private BigDecimal shown(ShardItem item) {
            return item.values().shown(by).orElseThrow();
        }

        static final class Shard {

            final ShardQuery query;
            private Optional<Map<String, String>> position = Optional.empty();
            private List<ShardItem> read = List.of();
            private @Nullable ShardItem last;
            private boolean ended;
            /** How many items were read. */
            private long items;
            private int page;

            Shard(ShardQuery query) {
                this.query = query;
            }

            /** @param page the next page; empty ends the shard */
            private void take(Optional<ShardPage> page) {
                page.ifPresentOrElse(this::take, () -> ended = true);
            }

            void take(ShardPage next) {
                position = next.next();
                ended = position.isEmpty();
                items += next.scannedItems();
                read = next.items();
                last = read.isEmpty() ? last : read.get(read.size() - 1);
            }
        }
    }
}
