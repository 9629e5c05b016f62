package dev.windrow.gather.execution;

import java.util.List;
import java.util.Optional;

import jakarta.enterprise.context.ApplicationScoped;

import dev.windrow.gather.answer.TopGroups.Sum;
import dev.windrow.gather.fanout.GatherRequest;
import dev.windrow.gather.fanout.GatherRequest.Order;
import dev.windrow.gather.fanout.Gatherer;
import dev.windrow.gather.fanout.RankedValues;
import dev.windrow.gather.query.QueryOptions;
import dev.windrow.gather.query.QueryPlan;
import dev.windrow.gather.query.RankOrder;
import dev.windrow.gather.query.RankPlan;
import dev.windrow.gather.query.Ranking;
import dev.windrow.gather.query.TopQuery;
import io.smallrye.mutiny.Uni;

/** Reads top lists from leaderboards. */
@ApplicationScoped
class RankedTop {

    private final Gatherer gatherer;
    private final RankedValues values;

    RankedTop(Gatherer gatherer, RankedValues values) {
        this.gatherer = gatherer;
        this.values = values;
    }

    /**
     * The first labels beyond the query's cursor, in order; fails with the reason schema-mismatch if there is no such index.
     */
    Uni<Execution<List<Sum>>> first(TopQuery query, RankPlan rank, int wanted, QueryOptions options) {
        boolean descending = query.ranking() == Ranking.DESC;
        RankOrder order = RankOrder.of(query.ranking());
        QueryPlan plan = new QueryPlan(
                List.of(rank.from(query.after().map(RankOrder.Place::number), descending, query.options())));
        GatherRequest request = new GatherRequest(query.scope(), plan, descending ? Order.DESCENDING : Order.ASCENDING, wanted,
                options);
        int measure = query.scope().dataset().measures().indexOf(query.by());
        return gatherer
                .ranked(request, 1,
                        session -> session.first(plan.stages().get(0), measure, order, query.after(), wanted)
                                .chain(search -> values.complete(session, rank, search.first())))
                .map(gathered -> Execution.of(plan, gathered).map(items -> items.stream()
                        .map(item -> new Sum(item.place().label(), item.values(), Optional.empty())).toList()));
    }
}
