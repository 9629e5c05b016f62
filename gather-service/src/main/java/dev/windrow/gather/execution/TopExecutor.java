package dev.windrow.gather.execution;

import java.util.List;
import java.util.Map;

import jakarta.enterprise.context.ApplicationScoped;

import dev.windrow.gather.answer.GroupSums;
import dev.windrow.gather.answer.TopGroups;
import dev.windrow.gather.answer.TopGroups.Sum;
import dev.windrow.gather.fanout.GatherRequest;
import dev.windrow.gather.fanout.Gatherer;
import dev.windrow.gather.merge.MeasureValues;
import dev.windrow.gather.query.QueryPlan;
import dev.windrow.gather.query.TimeRange;
import dev.windrow.gather.query.TopQuery;
import dev.windrow.key.Label;
import io.smallrye.mutiny.Uni;

/** Picks the groups of labels that come first, by a measure or by its change. */
@ApplicationScoped
public class TopExecutor {

    private final Gatherer gatherer;

    TopExecutor(Gatherer gatherer) {
        this.gatherer = gatherer;
    }

    /** The groups that come first, in order. */
    public Uni<Execution<List<Sum>>> execute(TopQuery query) {
        TopGroups top = new TopGroups(query.scope().dataset().measures(), query.grouping(), query.by(), query.ranking(),
                query.n());
        return query.against().map(against -> movers(query, top, against))
                .orElseGet(() -> sums(query, query.range()).onItem().transform(sums -> sums.map(top::top)));
    }

    private Uni<Execution<List<Sum>>> movers(TopQuery query, TopGroups top, TimeRange against) {
        return Uni.combine().all().unis(sums(query, query.range()), sums(query, against)).asTuple()
                .onItem().transform(both -> both.getItem2()
                        .map(then -> top.movers(both.getItem1().result(), then)).after(both.getItem1()));
    }

    private Uni<Execution<Map<Label, MeasureValues>>> sums(TopQuery query, TimeRange range) {
        QueryPlan plan = query.plan(range);
        GatherRequest request = GatherRequest.all(query.scope(), plan, query.options());
        return gatherer.answer(request, buckets -> buckets.collect()
                .in(() -> new GroupSums(query.grouping()), GroupSums::add).onItem().transform(GroupSums::sums))
                .onItem().transform(gathered -> Execution.of(plan, gathered));
    }
}
