package dev.windrow.gather.execution;

import jakarta.enterprise.context.ApplicationScoped;

import dev.windrow.gather.answer.GroupSums;
import dev.windrow.gather.answer.Position;
import dev.windrow.gather.fanout.CompleteRanks;
import dev.windrow.gather.fanout.GatherRequest;
import dev.windrow.gather.fanout.Gatherer;
import dev.windrow.gather.fanout.RankSession;
import dev.windrow.gather.query.PositionQuery;
import dev.windrow.gather.query.QueryPlan;
import dev.windrow.gather.query.RankOrder;
import io.smallrye.mutiny.Uni;

/** Finds the place of a label: in a leaderboard if there is one, else among the sums of all labels. */
@ApplicationScoped
public class PositionExecutor {

    private final Gatherer gatherer;
    private final CompleteRanks ranks;
    private final RankedPosition ranked;

    PositionExecutor(Gatherer gatherer, CompleteRanks ranks, RankedPosition ranked) {
        this.gatherer = gatherer;
        this.ranks = ranks;
        this.ranked = ranked;
    }

    /** The label's place and neighbours. */
    public Uni<Execution<Position>> execute(PositionQuery query) {
        Uni<Execution<Position>> gathered = gathered(query);
        return query.rank().map(plan -> ranks.contains(query.scope().dataset(), plan.rank())
                .chain(complete -> complete
                        ? ranked.find(query, plan).onFailure(RankSession::isOtherSchema).recoverWithUni(gathered)
                        : gathered))
                .orElse(gathered);
    }

    private Uni<Execution<Position>> gathered(PositionQuery query) {
        return Uni.createFrom().deferred(() -> {
            QueryPlan plan = query.plan();
            int measure = query.scope().dataset().measures().indexOf(query.by());
            return gatherer.answer(GatherRequest.all(query.scope(), plan, query.options()), buckets -> buckets.collect()
                    .in(() -> new GroupSums(query.grouping()), GroupSums::add)
                    .map(sums -> Position.among(sums.sums(), query.label(), measure, RankOrder.of(query.ranking()),
                            query.around())))
                    .map(result -> Execution.of(plan, result));
        });
    }
}
