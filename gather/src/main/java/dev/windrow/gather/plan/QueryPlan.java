package dev.windrow.gather.plan;

import java.time.Instant;
import java.util.List;

import dev.windrow.gather.range.TimeRange;
import dev.windrow.time.Granularity;

/**
 * The reads that answer a query. Stages follow each other in the order of the answer: every item of a stage comes before
 * every item of the next, so a later stage is read only when the one before is used up.
 *
 * @param stages one for each epoch of the index, or each granularity of the table, that the range touches
 */
public record QueryPlan(List<Stage> stages) {

    /** The same plan, but for buckets that may change after their end, so that no cached pages are read. */
    public QueryPlan uncached() {
        return new QueryPlan(stages.stream().map(Stage::lagging).toList());
    }

    /**
     * Shards that are read together and merged.
     *
     * @param until end of the range of bucket starts that is read, exclusive
     * @param shards all that can hold items of the range
     */
    public record Stage(Granularity granularity, Instant until, List<ShardQuery> shards) {

        /** A stage that ends with the last of its shards' ranges. */
        public Stage(Granularity granularity, List<ShardQuery> shards) {
            this(granularity, shards.stream().map(ShardQuery::until).reduce(TimeRange.ALL.from(), TimeRange::later), shards);
        }

        /** The same, of buckets that still change after their end. */
        public Stage lagging() {
            return new Stage(granularity, until, shards.stream().map(ShardQuery::lagging).toList());
        }
    }

}
