package dev.windrow.gather.query;

import java.util.List;

import dev.windrow.time.Granularity;

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

    /**
     * Shards that are read together and merged.
     *
     * @param granularity of all its buckets
     * @param shards all that can hold items of the range
     */
    public record Stage(Granularity granularity, List<ShardQuery> shards) {

        public Stage {
            shards = List.copyOf(shards);
        }
    }
}
