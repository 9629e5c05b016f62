package dev.windrow.gather.query;

/** A query about one range of bucket starts. */
public interface RangeQuery {

    /** Whose data. */
    DatasetScope scope();

    /** The range, aligned to the granularity that is read. */
    TimeRange range();

    /** The range that ends last of all that are read. */
    default TimeRange latestRange() {
        return range();
    }

    /** How to read. */
    QueryOptions options();
}
