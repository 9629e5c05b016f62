package dev.windrow.gather.top;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.LongConsumer;

import jakarta.enterprise.context.ApplicationScoped;

import org.jspecify.annotations.Nullable;

import dev.windrow.base.InvalidInputException;
import dev.windrow.base.Reason;
import dev.windrow.dataset.Measure;
import dev.windrow.gather.plan.Bucket;
import dev.windrow.gather.plan.MeasureValues;
import dev.windrow.gather.plan.QueryContext.QueryOptions;
import dev.windrow.gather.plan.QueryParameter;
import dev.windrow.gather.plan.QueryPlan;
import dev.windrow.gather.plan.RankPlan.RankOrder;
import dev.windrow.gather.plan.RankPlan.RankOrder.Place;
import dev.windrow.gather.plan.RankPlan.Ranking;
import dev.windrow.gather.plan.TimeRange;
import dev.windrow.gather.read.Execution;
import dev.windrow.gather.read.Gatherer;
import dev.windrow.gather.read.Gatherer.GatherRequest;
import dev.windrow.gather.read.HeldMemory;
import dev.windrow.gather.read.HeldMemory.HeldSize;
import dev.windrow.gather.top.Leaderboard.RankedTop;
import dev.windrow.gather.top.TopAnswer.TopGroups.Sum;
import dev.windrow.gather.top.TopQuery.Grouping;
import dev.windrow.gather.top.TopQuery.Threshold;
import dev.windrow.table.Label;
import io.smallrye.mutiny.Multi;
import io.smallrye.mutiny.Uni;
import io.smallrye.mutiny.infrastructure.Infrastructure;

/** Picks the groups of labels that come first, by a measure or by its change. */
@ApplicationScoped
public class TopAnswer {

    private final Gatherer gatherer;
    private final Leaderboard rankedFirst;
    private final RankedTop ranked;
    private final HeldMemory memory;

    TopAnswer(Gatherer gatherer, Leaderboard rankedFirst, RankedTop ranked, HeldMemory memory) {
        this.gatherer = gatherer;
        this.rankedFirst = rankedFirst;
        this.ranked = ranked;
        this.memory = memory;
    }

    /**
     * A page.
     *
     * @param groups in order
     * @param next the cursor of the next page; null if this is the last, or the only one
     */
    public record TopPage(List<Sum> groups, @Nullable String next) {
    }

    /** The groups that come first, in order. */
    public Uni<Execution<TopPage>> execute(TopQuery query) {
        TopGroups top = new TopGroups(query.scope().dataset().measures(), query.grouping(), query.by(), query.ranking(),
                query.n());
        return memory.during(held -> query.against().map(against -> movers(query, top, against, held))
                .orElseGet(() -> ranked(query, top, held)));
    }

    private Uni<Execution<TopPage>> ranked(TopQuery query, TopGroups top, HeldMemory.Share held) {
        // One more than the page holds, to see whether there is a next one.
        int wanted = query.n() + 1;
        return rankedFirst.answer(query.rank(), query.options(), (plan, options) -> ranked.first(query, plan, wanted, options),
                options -> sums(query, query.range(), options, held)
                        .map(sums -> sums.map(all -> top.top(all, query.after(), wanted))))
                .map(found -> found.map(groups -> page(query, top, groups)));
    }

    private static TopPage page(TopQuery query, TopGroups top, List<Sum> groups) {
        if (groups.size() <= query.n()) {
            return new TopPage(groups, null);
        }
        return new TopPage(groups.subList(0, query.n()), query.next(top.place(groups.get(query.n() - 1))));
    }

    private Uni<Execution<TopPage>> movers(TopQuery query, TopGroups top, TimeRange against, HeldMemory.Share held) {
        return Uni.combine().all()
                .unis(sums(query, query.range(), query.options(), held), sums(query, against, query.options(), held))
                .asTuple()
                .onItem().transform(both -> both.getItem2()
                        .map(then -> new TopPage(top.movers(both.getItem1().result(), then), null)).after(both.getItem1()));
    }

    /** All sums; they come on a worker thread. */
    private Uni<Execution<Map<Label, MeasureValues>>> sums(TopQuery query, TimeRange range, QueryOptions options,
            HeldMemory.Share held) {
        QueryPlan plan = query.plan(range);
        GatherRequest request = GatherRequest.all(query.scope(), plan, options);
        return gatherer.answer(request, SumsByGroup.picked(query.grouping(), held, Function.identity()))
                .onItem().transform(gathered -> Execution.of(plan, gathered));
    }

    /** Sums gathered buckets by group. */
    public static final class SumsByGroup {

        private SumsByGroup() {
        }

        /**
         * Picks from the sums of all groups.
         *
         * @param held by the sums
         * @param pick runs on a worker thread: a million groups take too long for an event loop
         */
        public static <T> Function<Multi<Bucket>, Uni<T>> picked(Grouping grouping, HeldMemory.Share held,
                Function<Map<Label, MeasureValues>, T> pick) {
            return buckets -> buckets.collect().in(() -> new GroupSums(grouping, held::add), GroupSums::add)
                    .emitOn(Infrastructure.getDefaultWorkerPool()).map(sums -> pick.apply(sums.sums()));
        }
    }

    /** Picks the groups that come first, by a measure or by its change; equals in the order of their labels. */
    public static final class TopGroups {

        private final List<Measure> measures;
        private final Grouping grouping;
        private final Measure by;
        private final RankOrder order;
        private final int n;

        /**
         * @param measures of the dataset
         * @param by the measure to order by
         * @param n how many
         */
        public TopGroups(List<Measure> measures, Grouping grouping, Measure by, Ranking ranking, int n) {
            this.measures = measures;
            this.grouping = grouping;
            this.by = by;
            this.order = RankOrder.of(ranking);
            this.n = n;
        }

        /**
         * A group with its sums.
         *
         * @param label the values that its labels share
         * @param values its measures over the range
         * @param against the same over the range that it is compared with; empty if with none
         */
        public record Sum(Label label, MeasureValues values, Optional<MeasureValues> against) {
        }

        private record Ranked(Sum sum, BigDecimal number) {

            Place place() {
                return new Place(number, sum.label());
            }
        }

        /** The first by the measure itself. Groups without a value of it are left out. */
        public List<Sum> top(Map<Label, MeasureValues> sums) {
            return top(sums, Optional.empty(), n);
        }

        /** The first groups after a place, by the measure itself. */
        public List<Sum> top(Map<Label, MeasureValues> sums, Optional<Place> after, int wanted) {
            List<Ranked> ranked = new ArrayList<>();
            sums.forEach((label, values) -> {
                if (isListed(values)) {
                    values.shown(index(by)).map(number -> new Ranked(new Sum(label, values, Optional.empty()), number))
                            .filter(group -> after.isEmpty() || order.places().compare(group.place(), after.get()) > 0)
                            .ifPresent(ranked::add);
                }
            });
            return first(ranked, wanted);
        }

        /**
         * The first by the change. A group that is in one of the ranges only has counts and sums of zero in the other; where a
         * measure of another kind has no value in one of them there is no change, and the group is left out.
         */
        public List<Sum> movers(Map<Label, MeasureValues> now, Map<Label, MeasureValues> then) {
            Set<Label> labels = new HashSet<>(now.keySet());
            labels.addAll(then.keySet());
            MeasureValues nothing = MeasureValues.none(measures);
            List<Ranked> ranked = new ArrayList<>();
            for (Label label : labels) {
                MeasureValues after = now.getOrDefault(label, nothing);
                MeasureValues before = then.getOrDefault(label, nothing);
                if (isListed(after) || isListed(before)) {
                    number(after).flatMap(value -> number(before).map(value::subtract)).ifPresent(
                            change -> ranked.add(new Ranked(new Sum(label, after, Optional.of(before)), change)));
                }
            }
            return first(ranked, n);
        }

        private List<Sum> first(List<Ranked> ranked, int wanted) {
            return ranked.stream().sorted(Comparator.comparing(Ranked::place, order.places())).limit(wanted).map(Ranked::sum)
                    .toList();
        }

        /** The place of a group in the list; only in lists by the measure itself. */
        public Place place(Sum sum) {
            return new Place(sum.values().shown(index(by)).orElseThrow(), sum.label());
        }

        private boolean isListed(MeasureValues values) {
            Optional<Threshold> least = grouping.least();
            return least.isEmpty() || values.shown(index(least.get().measure()))
                    .filter(value -> value.compareTo(least.get().atLeast()) >= 0).isPresent();
        }

        private Optional<BigDecimal> number(MeasureValues values) {
            return values.shown(index(by)).or(() -> Optional.ofNullable(by.kind().ofNothing()));
        }

        private int index(Measure measure) {
            return measures.indexOf(measure);
        }
    }

    /**
     * Sums buckets by group. Exact: every group is summed before any is left out, so memory grows with the groups, whose number
     * is limited.
     */
    public static final class GroupSums {

        private final Grouping grouping;
        private final LongConsumer held;
        private final Map<Label, MeasureValues> sums = new HashMap<>();

        /** @param held is given the estimated bytes of each new group, and throws if there is no room for it */
        public GroupSums(Grouping grouping, LongConsumer held) {
            this.grouping = grouping;
            this.held = held;
        }

        /**
         * Adds a bucket.
         *
         * @throws InvalidInputException with {@link Reason#RANGE_TOO_LONG} if there are too many groups
         */
        public void add(Bucket bucket) {
            Label group = grouping.group(bucket.label());
            int before = sums.size();
            sums.merge(group, bucket.values(), MeasureValues::combine);
            if (sums.size() == before) {
                return;
            }
            try {
                held.accept(HeldSize.of(group.values(), bucket.values()));
            } catch (RuntimeException noRoom) {
                // Others have the room already, and the failure may take a while to get to whoever keeps these sums.
                sums.clear();
                throw noRoom;
            }
            if (sums.size() > grouping.maxGroups()) {
                throw new InvalidInputException(Reason.RANGE_TOO_LONG, QueryParameter.PREFIX.word(), "expected at most "
                        + grouping.maxGroups()
                        + " labels in the range: use a shorter range, or select fewer labels with prefix");
            }
        }

        /** The sums by group. */
        public Map<Label, MeasureValues> sums() {
            return sums;
        }
    }
}
