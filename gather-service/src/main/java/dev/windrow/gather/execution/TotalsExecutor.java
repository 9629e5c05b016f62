package dev.windrow.gather.execution;

import java.util.stream.Collectors;

import jakarta.enterprise.context.ApplicationScoped;

import dev.windrow.gather.fanout.GatherRequest;
import dev.windrow.gather.fanout.Gatherer;
import dev.windrow.gather.merge.Bucket;
import dev.windrow.gather.merge.MeasureValues;
import dev.windrow.gather.query.CompareQuery;
import dev.windrow.gather.query.QueryPlan;
import dev.windrow.gather.query.TotalsQuery;
import io.smallrye.mutiny.Uni;

/** Sums all buckets of a range, or of two that are compared. */
@ApplicationScoped
public class TotalsExecutor {

    private final Gatherer gatherer;

    TotalsExecutor(Gatherer gatherer) {
        this.gatherer = gatherer;
    }

    /**
     * Two ranges.
     *
     * @param period the sums of the requested period
     * @param against those of the other
     */
    public record Comparison(Execution<MeasureValues> period, Execution<MeasureValues> against) {
    }

    /** The sums of a range. */
    public Uni<Execution<MeasureValues>> execute(TotalsQuery query) {
        QueryPlan plan = query.plan();
        return sum(plan, GatherRequest.all(query.scope(), plan, query.options()));
    }

    /** The sums of both ranges. */
    public Uni<Comparison> execute(CompareQuery query) {
        return Uni.combine().all()
                .unis(sum(query, query.plan(query.periods().period())), sum(query, query.plan(query.periods().against())))
                .asTuple().onItem().transform(sums -> new Comparison(sums.getItem1(), sums.getItem2()));
    }

    private Uni<Execution<MeasureValues>> sum(CompareQuery query, QueryPlan plan) {
        return sum(plan, GatherRequest.all(query.scope(), plan, query.options()));
    }

    private Uni<Execution<MeasureValues>> sum(QueryPlan plan, GatherRequest request) {
        MeasureValues nothing = MeasureValues.none(request.scope().dataset().measures());
        return gatherer.answer(request, buckets -> buckets.onItem().transform(Bucket::values)
                .collect().with(Collectors.reducing(nothing, MeasureValues::combine)))
                .onItem().transform(gathered -> Execution.of(plan, gathered));
    }
}
