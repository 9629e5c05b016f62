package dev.windrow.gather.execution;

import java.util.List;

import jakarta.enterprise.context.ApplicationScoped;

import dev.windrow.gather.answer.TopLabels;
import dev.windrow.gather.fanout.GatherRequest;
import dev.windrow.gather.fanout.Gatherer;
import dev.windrow.gather.query.QueryPlan;
import dev.windrow.gather.query.TopQuery;
import io.smallrye.mutiny.Uni;

/** Picks the labels with the most. */
@ApplicationScoped
public class TopExecutor {

    private final Gatherer gatherer;

    TopExecutor(Gatherer gatherer) {
        this.gatherer = gatherer;
    }

    /** The labels with the most, most first. */
    public Uni<Execution<List<TopLabels.Sum>>> execute(TopQuery query) {
        QueryPlan plan = query.plan();
        GatherRequest request = GatherRequest.all(query.scope(), plan, query.selection().whole(), query.options());
        return gatherer.answer(request, buckets -> buckets.collect().in(() -> new TopLabels(query), TopLabels::add)
                .onItem().transform(TopLabels::top))
                .onItem().transform(gathered -> Execution.of(plan, gathered));
    }
}
