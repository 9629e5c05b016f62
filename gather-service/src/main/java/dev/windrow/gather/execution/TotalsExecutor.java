package dev.windrow.gather.execution;

import java.util.stream.Collectors;

import jakarta.enterprise.context.ApplicationScoped;

import dev.windrow.gather.fanout.GatherRequest;
import dev.windrow.gather.fanout.Gatherer;
import dev.windrow.gather.merge.Bucket;
import dev.windrow.gather.merge.MeasureValues;
import dev.windrow.gather.query.CompareQuery;
import dev.windrow.gather.query.DatasetScope;
import dev.windrow.gather.query.QueryOptions;
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
        return sum(query.scope(), query.plan(), query.options());
    }

    /** The sums of both ranges. */
    public Uni<Comparison> execute(CompareQuery query) {
        return Uni.combine().all()
                .unis(sum(query.scope(), query.plan(query.periods().period()), query.options()),
                        sum(query.scope(), query.plan(query.periods().against()), query.options()))
                .asTuple().onItem().transform(sums -> new Comparison(sums.getItem1(), sums.getItem2()));
    }

    private Uni<Execution<MeasureValues>> sum(DatasetScope scope, QueryPlan plan, QueryOptions options) {
        MeasureValues nothing = MeasureValues.none(scope.dataset().measures());
        return gatherer.answer(GatherRequest.all(scope, plan, options), buckets -> buckets.onItem().transform(Bucket::values)
                .collect().with(Collectors.reducing(nothing, MeasureValues::combine)))
                .onItem().transform(gathered -> Execution.of(plan, gathered));
    }
}
