package dev.windrow.gather.plan;

import dev.windrow.gather.range.TimeRange;

/** A query about one range of bucket starts. */
public interface RangeQuery {

    DatasetScope scope();

    /** The range, aligned to the granularity that is read. */
    TimeRange range();

    /** The range that ends last among those that are read. */
    default TimeRange latestRange() {
        return range();
    }

    QueryOptions options();
}
