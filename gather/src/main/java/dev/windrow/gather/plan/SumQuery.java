package dev.windrow.gather.plan;

import java.time.Instant;
import java.util.List;
import java.util.Optional;

import dev.windrow.gather.range.TimeRange;

/** A query whose result is made of sums over labels, so that a roll-up of the dataset may answer it as well. */
public interface SumQuery {

    /**
     * What the result sums: equal for two queries that sum the same buckets. It contains the aligned range, because bounds
     * are moved up to the finest available granularity, which may be coarser in a roll-up.
     */
    List<Object> summed();

    List<QueryPlan> plans();

    QueryOptions options();

    /** The time up to which the buckets read contain the claimed events; empty if unknown. */
    default Optional<Instant> asOf() {
        return plans().stream().flatMap(plan -> options().freshness().asOf(plan).stream()).reduce(TimeRange::earlier);
    }

    /** The start of the earliest bucket that may be read. */
    Instant earliestStart();
}
