package dev.windrow.gather.execution;

import jakarta.enterprise.context.ApplicationScoped;

import dev.windrow.gather.answer.Position;
import dev.windrow.gather.fanout.GatherRequest;
import dev.windrow.gather.fanout.Gatherer;
import dev.windrow.gather.fanout.HeldMemory;
import dev.windrow.gather.query.PositionQuery;
import dev.windrow.gather.query.QueryOptions;
import dev.windrow.gather.query.QueryPlan;
import dev.windrow.gather.query.RankOrder;
import io.smallrye.mutiny.Uni;

/** Finds the place of a label: in a leaderboard if there is one, else among the sums of all labels. */
@ApplicationScoped
public class PositionExecutor {

    private final Gatherer gatherer;
    private final RankedFirst rankedFirst;
    private final RankedPosition ranked;
    private final HeldMemory memory;

    PositionExecutor(Gatherer gatherer, RankedFirst rankedFirst, RankedPosition ranked, HeldMemory memory) {
        this.gatherer = gatherer;
        this.rankedFirst = rankedFirst;
        this.ranked = ranked;
        this.memory = memory;
    }

    /** The label's place and neighbors. */
    public Uni<Execution<Position>> execute(PositionQuery query) {
        return rankedFirst.answer(query.rank(), query.options(), (plan, options) -> ranked.find(query, plan, options),
                options -> memory.during(held -> gathered(query, options, held)));
    }

    private Uni<Execution<Position>> gathered(PositionQuery query, QueryOptions options, HeldMemory.Share held) {
        return Uni.createFrom().deferred(() -> {
            QueryPlan plan = query.plan();
            int measure = query.scope().dataset().measures().indexOf(query.by());
            return gatherer.answer(GatherRequest.all(query.scope(), plan, options), SumsByGroup.picked(query.grouping(), held,
                    sums -> Position.among(sums, query.label(), measure, RankOrder.of(query.ranking()), query.around())))
                    .map(result -> Execution.of(plan, result));
        });
    }
}
