package dev.windrow.gather.top;

import java.math.BigDecimal;
import java.time.Clock;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.Predicate;

import jakarta.inject.Singleton;

import org.jspecify.annotations.Nullable;

import dev.windrow.base.TimerDelays;
import dev.windrow.dataset.Dataset;
import dev.windrow.dataset.Measure;
import dev.windrow.dataset.MeasureValue;
import dev.windrow.gather.fanout.Deadline;
import dev.windrow.gather.fanout.Execution;
import dev.windrow.gather.fanout.GatherOrder;
import dev.windrow.gather.fanout.GatherRequest;
import dev.windrow.gather.fanout.Gatherer;
import dev.windrow.gather.fanout.RankSearch;
import dev.windrow.gather.fanout.RankSession;
import dev.windrow.gather.plan.MeasureValues;
import dev.windrow.gather.plan.QueryOptions;
import dev.windrow.gather.plan.QueryPlan;
import dev.windrow.gather.rank.RankOrder;
import dev.windrow.gather.rank.RankPlace;
import dev.windrow.gather.rank.RankPlan;
import dev.windrow.gather.rank.Ranking;
import dev.windrow.gather.read.ItemKey;
import dev.windrow.gather.read.ItemReader;
import dev.windrow.gather.read.ItemValues;
import dev.windrow.gather.read.RegisteredDatasets;
import dev.windrow.table.BucketKey;
import dev.windrow.table.Label;
import dev.windrow.table.SeriesKey;
import dev.windrow.table.TableSchema;
import io.smallrye.mutiny.Uni;

/** Answers from a leaderboard if it is complete and its index exists, else by gathering; both within one deadline. */
@Singleton
record Leaderboard(RegisteredDatasets ranks, Gatherer gatherer, ItemReader items, Clock clock) {

    /** The count of the labels ahead, and the neighbors on both sides. */
    private static final int READS_PER_SHARD = 3;

    /**
     * Answers a query.
     *
     * @param rank the leaderboard; empty if none is kept
     * @param options the timeout bounds both ways together
     * @param ranked answers from the leaderboard
     * @param isWhole whether such an answer lacks nothing; else it is gathered after all
     * @param gathered answers without it
     */
    <T> Uni<T> answer(Optional<RankPlan> rank, QueryOptions options, BiFunction<RankPlan, QueryOptions, Uni<T>> ranked,
            Predicate<T> isWhole, Function<QueryOptions, Uni<T>> gathered) {
        return rank.map(plan -> Uni.createFrom().deferred(() -> {
            Deadline deadline = Deadline.after(options.timeout(), clock);
            Uni<T> otherwise = deadline.read(left -> gathered.apply(options.within(left)));
            return ranks.contains(plan.scope().dataset(), plan.rank(), TimerDelays.atLeastShortest(options.timeout()))
                    .chain(complete -> complete
                            ? deadline.read(left -> ranked.apply(plan, options.within(left)))
                                    .chain(answer -> isWhole.test(answer) ? Uni.createFrom().item(answer) : otherwise)
                                    .onFailure(RankSession::isOtherSchema).recoverWithUni(otherwise)
                            : otherwise);
        })).orElseGet(() -> gathered.apply(options));
    }

    /** Returns the first labels beyond the query's cursor, in order; fails with schema-mismatch if there is no such index. */
    Uni<Execution<List<GroupSum>>> first(TopQuery query, RankPlan rank, int wanted, QueryOptions options) {
        boolean descending = query.ranking() == Ranking.DESC;
        RankOrder order = RankOrder.of(query.ranking());
        QueryPlan plan = new QueryPlan(
                List.of(rank.from(query.after().map(RankPlace::number), descending, query.options())));
        GatherRequest request = new GatherRequest(query.scope(), plan,
                descending ? GatherOrder.DESCENDING : GatherOrder.ASCENDING,
                wanted, options);
        return gatherer.ranked(request, 1,
                session -> session.first(plan.stages().get(0), query.by(), order, query.after(), wanted)
                        .chain(search -> complete(session, rank, search.first())))
                .map(gathered -> gathered.map(items -> items.stream()
                        .map(item -> new GroupSum(item.place().label(), item.values(), Optional.empty())).toList()));
    }

    /** Returns the label's place and neighbors; fails with schema-mismatch if there is no such index. */
    Uni<Execution<Position>> find(PositionQuery query, RankPlan rank, QueryOptions options) {
        QueryPlan plan = new QueryPlan(List.of(rank.from(Optional.empty(), isDescending(query), query.options())));
        GatherRequest request = GatherRequest.all(query.scope(), plan, options);
        return gatherer.ranked(request, READS_PER_SHARD,
                session -> read(session, rank, List.of(query.label())).chain(found -> Optional
                        .ofNullable(found.get(query.label())).flatMap(own -> own.shown(query.by()))
                        .map(number -> around(session, query, rank, new RankPlace(number, query.label())))
                        .orElse(Uni.createFrom().item(Position.NONE))));
    }

    private static boolean isDescending(PositionQuery query) {
        return query.ranking() == Ranking.DESC;
    }

    private static Uni<Position> around(RankSession session, PositionQuery query, RankPlan rank, RankPlace own) {
        RankOrder order = RankOrder.of(query.ranking());
        Uni<Long> ahead = session.count(rank.beyond(own.number(), isDescending(query), query.options()));
        return Uni.combine().all().unis(ahead, side(session, query, rank, own, order.reversed(), !isDescending(query)),
                side(session, query, rank, own, order, isDescending(query)))
                .with((count, before, after) -> Position.of(own, count, before, after));
    }

    /** Reads one more, because the index may still have the label itself at another place. */
    private static Uni<PositionSide> side(RankSession session, PositionQuery query, RankPlan rank, RankPlace own,
            RankOrder order,
            boolean descending) {
        if (query.around() == 0) {
            return Uni.createFrom().item(new PositionSide(List.of(), new TreeMap<BigDecimal, Integer>()));
        }
        return session.first(rank.from(Optional.of(own.number()), descending, query.options()), query.by(), order,
                Optional.of(own), query.around() + 1)
                .map(search -> new PositionSide(search.first().stream().map(RankSearch.Item::place)
                        .filter(place -> !place.label().equals(own.label())).limit(query.around()).toList(), search.counts()));
    }

    /**
     * Returns the items with all their measures. The index has only the measure that they are ranked by, and its value is kept
     * even though the table's may be newer.
     */
    private Uni<List<RankSearch.Item>> complete(RankSession session, RankPlan plan, List<RankSearch.Item> ranked) {
        List<Measure> measures = plan.scope().dataset().measures();
        if (measures.size() == 1 || ranked.isEmpty()) {
            return Uni.createFrom().item(ranked);
        }
        return read(session, plan, ranked.stream().map(item -> item.place().label()).toList()).map(values -> ranked.stream()
                .map(item -> new RankSearch.Item(item.place(), keeping(plan.by(), item.values(),
                        values.getOrDefault(item.place().label(), MeasureValues.none(measures)))))
                .toList());
    }

    /** Reads the measures of labels in the bucket of a leaderboard; labels without an item are left out. */
    private Uni<Map<Label, MeasureValues>> read(RankSession session, RankPlan plan, List<Label> labels) {
        Map<ItemKey, Label> keys = new HashMap<>();
        labels.forEach(label -> keys.put(key(plan, label), label));
        List<Measure> measures = plan.scope().dataset().measures();
        List<String> attributes = new ArrayList<>(List.of(TableSchema.PK, TableSchema.SK));
        attributes.addAll(ItemValues.attributes(measures));
        return session.inTime(() -> items.read(List.copyOf(keys.keySet()), attributes, false)).map(found -> {
            session.read(found);
            Map<Label, MeasureValues> values = new HashMap<>();
            found.texts().forEach(texts -> {
                Label label = keys
                        .get(new ItemKey(texts.getOrDefault(TableSchema.PK, ""), texts.getOrDefault(TableSchema.SK, "")));
                if (label != null) {
                    @Nullable
                    String[] all = attributes.stream().map(texts::get).toArray(String[]::new);
                    values.put(label, new ItemValues(all, 2).of(measures));
                }
            });
            return values;
        });
    }

    private static ItemKey key(RankPlan plan, Label label) {
        Dataset dataset = plan.scope().dataset();
        SeriesKey series = new SeriesKey(plan.scope().tenant(), dataset.name(), label, dataset.partition(), 0);
        return new ItemKey(series.partitionKey(), new BucketKey(series, plan.granularity(), plan.start()).sortKey());
    }

    private static MeasureValues keeping(Measure by, MeasureValues ranked, MeasureValues other) {
        List<@Nullable MeasureValue> values = new ArrayList<>(other.values());
        int place = other.measures().indexOf(by);
        values.set(place, ranked.values().get(place));
        return new MeasureValues(other.measures(), values);
    }
}
