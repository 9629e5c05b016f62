package dev.windrow.gather.execution;

import java.util.List;
import java.util.Map;
import java.util.function.Function;

import jakarta.enterprise.context.ApplicationScoped;

import org.jspecify.annotations.Nullable;

import dev.windrow.gather.answer.TopGroups;
import dev.windrow.gather.answer.TopGroups.Sum;
import dev.windrow.gather.fanout.GatherRequest;
import dev.windrow.gather.fanout.Gatherer;
import dev.windrow.gather.fanout.HeldMemory;
import dev.windrow.gather.merge.MeasureValues;
import dev.windrow.gather.query.QueryOptions;
import dev.windrow.gather.query.QueryPlan;
import dev.windrow.gather.query.TimeRange;
import dev.windrow.gather.query.TopQuery;
import dev.windrow.table.Label;
import io.smallrye.mutiny.Uni;

/** Picks the groups of labels that come first, by a measure or by its change. */
@ApplicationScoped
public class TopExecutor {

    private final Gatherer gatherer;
    private final RankedFirst rankedFirst;
    private final RankedTop ranked;
    private final HeldMemory memory;

    TopExecutor(Gatherer gatherer, RankedFirst rankedFirst, RankedTop ranked, HeldMemory memory) {
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
}
