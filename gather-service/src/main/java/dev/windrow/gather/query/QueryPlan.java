package dev.windrow.gather.query;

import java.time.Instant;
import java.util.List;

import dev.windrow.dataset.Granularity;

/**
 * The reads that answer a query. Stages follow each other in the order of the answer: every item of a stage comes before
 * every item of the next, so a later stage is read only when the one before is used up.
 *
 * @param stages one for each epoch of the index, or each granularity of the table, that the range touches
 */
public record QueryPlan(List<Stage> stages) {

    public QueryPlan {
        stages = List.copyOf(stages);
    }

    /** The same, of buckets that may change after their end, so that no kept pages are read. */
    QueryPlan uncached() {
        return new QueryPlan(stages.stream().map(Stage::lagging).toList());
    }

    /**
     * Shards that are read together and merged.
     *
     * @param granularity of all its buckets
     * @param until end of the range of bucket starts that is read, exclusive
     * @param shards all that can hold items of the range
     */
    public record Stage(Granularity granularity, Instant until, List<ShardQuery> shards) {

        public Stage {
            shards = List.copyOf(shards);
        }

        /** Of a range that ends where those of its shards do. */
        public Stage(Granularity granularity, List<ShardQuery> shards) {
            this(granularity, shards.stream().map(ShardQuery::until).reduce(TimeRange.ALL.from(), TimeRange::later), shards);
        }

        /** The same, of buckets that still change after their end. */
        Stage lagging() {
            return new Stage(granularity, until, shards.stream().map(ShardQuery::lagging).toList());
        }
    }
}
