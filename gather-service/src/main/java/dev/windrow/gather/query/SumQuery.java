package dev.windrow.gather.query;

import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** A query whose result is made of sums over labels, so that a roll-up of the dataset may answer it as well. */
interface SumQuery {

    /**
     * What the result sums: equal for two queries that sum the same buckets. A range is part of it as aligned, since its
     * bounds move up to the finest available granularity, which may be coarser in a roll-up.
     */
    List<Object> summed();

    /** All reads that may be needed. */
    List<QueryPlan> plans();

    /** How to read. */
    QueryOptions options();

    /** Up to when claimed events are in the buckets read; empty if it is not known. */
    default Optional<Instant> asOf() {
        return plans().stream().flatMap(plan -> options().freshness().asOf(plan).stream()).reduce(TimeRange::earlier);
    }

    /** The start of the earliest bucket that may be read. */
    Instant earliestStart();
}
