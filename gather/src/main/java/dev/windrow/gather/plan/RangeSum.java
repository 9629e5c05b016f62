package dev.windrow.gather.plan;

import java.time.Instant;
import java.util.List;

/** The sums over one range, by one plan. */
public interface RangeSum extends RangeQuery, SumQuery {

    QueryPlan plan();

    @Override
    default List<Object> summed() {
        return List.of(range());
    }

    @Override
    default List<QueryPlan> plans() {
        return List.of(plan());
    }

    @Override
    default Instant earliestStart() {
        return range().from();
    }
}
