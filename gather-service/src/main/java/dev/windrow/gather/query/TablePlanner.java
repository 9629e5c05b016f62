package dev.windrow.gather.query;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

import dev.windrow.dataset.Granularity;
import dev.windrow.gather.query.ShardQuery.Source;
import dev.windrow.table.Label;
import dev.windrow.table.SeriesKey;

/** Plans reads of partitions of the table: each key shard of each. */
public final class TablePlanner {

    private final DatasetScope scope;
    private final List<LabelPartition> partitions;
    private final boolean consistent;

    public TablePlanner(DatasetScope scope, List<LabelPartition> partitions, boolean consistent) {
        this.scope = scope;
        this.partitions = partitions;
        this.consistent = consistent;
    }

    /**
     * The reads of the buckets of one granularity whose starts are in a range.
     *
     * @param after only items beyond this place, in the requested order
     */
    public QueryPlan.Stage stage(Granularity granularity, TimeRange range, boolean descending, Optional<Cursor> after) {
        PartitionRanges ranges = new PartitionRanges(scope.dataset(), granularity, range, descending, partitions.size());
        List<ShardQuery> shards = new ArrayList<>();
        for (LabelPartition partition : partitions) {
            for (KeyRange keys : ranges.of(partition, after)) {
                for (int keyShard = 0; keyShard < scope.dataset().keyShards(); keyShard++) {
                    shards.add(new ShardQuery(Source.TABLE, shards.size(), partitionKey(partition, keyShard), keys.fromKey(),
                            keys.toKey(), descending, consistent, keys.until(), List.of(), keys.items()));
                }
            }
        }
        return new QueryPlan.Stage(granularity, shards);
    }

    private String partitionKey(LabelPartition partition, int keyShard) {
        return new SeriesKey(scope.tenant(), scope.dataset().name(), new Label(partition.first()), keyShard).partitionKey();
    }
}
