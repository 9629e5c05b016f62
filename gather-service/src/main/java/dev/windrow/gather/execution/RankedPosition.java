package dev.windrow.gather.execution;

import java.math.BigDecimal;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;

import jakarta.enterprise.context.ApplicationScoped;

import dev.windrow.gather.answer.Position;
import dev.windrow.gather.answer.Position.Side;
import dev.windrow.gather.fanout.GatherRequest;
import dev.windrow.gather.fanout.Gatherer;
import dev.windrow.gather.fanout.RankSearch;
import dev.windrow.gather.fanout.RankSession;
import dev.windrow.gather.fanout.RankedValues;
import dev.windrow.gather.query.PositionQuery;
import dev.windrow.gather.query.QueryOptions;
import dev.windrow.gather.query.QueryPlan;
import dev.windrow.gather.query.RankOrder;
import dev.windrow.gather.query.RankOrder.Place;
import dev.windrow.gather.query.RankPlan;
import dev.windrow.gather.query.Ranking;
import io.smallrye.mutiny.Uni;

/** Finds a label in a leaderboard: counts what is ahead of it, and reads its neighbors. */
@ApplicationScoped
class RankedPosition {

    /** The count of what is ahead, and the neighbors on both sides. */
    private static final int READS_PER_SHARD = 3;

    private final Gatherer gatherer;
    private final RankedValues values;

    RankedPosition(Gatherer gatherer, RankedValues values) {
        this.gatherer = gatherer;
        this.values = values;
    }

    /** The label's place and neighbors; fails with the reason schema-mismatch if there is no such index. */
    Uni<Execution<Position>> find(PositionQuery query, RankPlan rank, QueryOptions options) {
        QueryPlan plan = new QueryPlan(List.of(rank.from(Optional.empty(), isDescending(query), query.options())));
        GatherRequest request = GatherRequest.all(query.scope(), plan, options);
        int measure = query.scope().dataset().measures().indexOf(query.by());
        return gatherer
                .ranked(request, READS_PER_SHARD,
                        session -> values.read(session, rank, List.of(query.label())).chain(found -> Optional
                                .ofNullable(found.get(query.label())).flatMap(own -> own.shown(measure))
                                .map(number -> around(session, query, rank, new Place(number, query.label())))
                                .orElse(Uni.createFrom().item(Position.NONE))))
                .map(gathered -> Execution.of(plan, gathered));
    }

    private static boolean isDescending(PositionQuery query) {
        return query.ranking() == Ranking.DESC;
    }

    private static Uni<Position> around(RankSession session, PositionQuery query, RankPlan rank, Place own) {
        RankOrder order = RankOrder.of(query.ranking());
        Uni<Long> ahead = session.count(rank.beyond(own.number(), isDescending(query), query.options()));
        return Uni.combine().all().unis(ahead, side(session, query, rank, own, order.reversed(), !isDescending(query)),
                side(session, query, rank, own, order, isDescending(query))).asTuple()
                .map(all -> Position.of(own, all.getItem1(), all.getItem2(), all.getItem3()));
    }

    /** The index may still have the label itself elsewhere, so one more is read. */
    private static Uni<Side> side(RankSession session, PositionQuery query, RankPlan rank, Place own, RankOrder order,
            boolean descending) {
        if (query.around() == 0) {
            return Uni.createFrom().item(new Side(List.of(), new TreeMap<BigDecimal, Integer>()));
        }
        int measure = query.scope().dataset().measures().indexOf(query.by());
        return session.first(rank.from(Optional.of(own.number()), descending, query.options()), measure, order,
                Optional.of(own), query.around() + 1)
                .map(search -> new Side(search.first().stream().map(RankSearch.Item::place)
                        .filter(place -> !place.label().equals(own.label())).limit(query.around()).toList(), search.counts()));
    }
}
