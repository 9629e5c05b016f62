package dev.windrow.gather.query;

import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

import dev.windrow.gather.query.ShardQuery.Source;
import dev.windrow.key.BucketKey;
import dev.windrow.key.Label;
import dev.windrow.key.SeriesKey;
import dev.windrow.time.Granularity;

/** Plans reads of one label from the table: each of its key shards. */
public final class TablePlanner {

    private final DatasetScope scope;
    private final Label label;
    private final boolean consistent;

    public TablePlanner(DatasetScope scope, Label label, boolean consistent) {
        this.scope = scope;
        this.label = label;
        this.consistent = consistent;
    }

    /** The reads of the buckets of one granularity whose starts are in a range. */
    public QueryPlan.Stage stage(Granularity granularity, TimeRange range, boolean descending) {
        if (range.isEmpty()) {
            return new QueryPlan.Stage(granularity, List.of());
        }
        String fromKey = BucketKey.sortKey(granularity, range.from());
        String toKey = BucketKey.sortKey(granularity, range.to().minusSeconds(1));
        return new QueryPlan.Stage(granularity, IntStream.range(0, scope.dataset().keyShards())
                .mapToObj(shard -> new ShardQuery(Source.TABLE, shard, partitionKey(shard), fromKey, toKey, descending,
                        consistent, range.to(), Optional.empty()))
                .toList());
    }

    private String partitionKey(int keyShard) {
        return new SeriesKey(scope.tenant(), scope.dataset().name(), label, keyShard).partitionKey();
    }
}
