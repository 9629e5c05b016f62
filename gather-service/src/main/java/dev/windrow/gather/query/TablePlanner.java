package dev.windrow.gather.query;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

import dev.windrow.gather.query.ShardQuery.Source;
import dev.windrow.key.BucketKey;
import dev.windrow.key.KeyCodec;
import dev.windrow.key.Label;
import dev.windrow.key.SeriesKey;
import dev.windrow.key.Utf8Order;
import dev.windrow.time.Granularity;

/** Plans reads of whole labels from the table: each key shard of each label. */
public final class TablePlanner {

    private final DatasetScope scope;
    private final List<Label> labels;
    private final boolean consistent;

    public TablePlanner(DatasetScope scope, List<Label> labels, boolean consistent) {
        this.scope = scope;
        this.labels = labels;
        this.consistent = consistent;
    }

    /**
     * The reads of the buckets of one granularity whose starts are in a range.
     *
     * @param after only items beyond this place, in the requested order
     */
    public QueryPlan.Stage stage(Granularity granularity, TimeRange range, boolean descending, Optional<Cursor> after) {
        List<ShardQuery> shards = new ArrayList<>();
        for (Label label : labels) {
            TimeRange left = after.map(cursor -> beyond(range, descending, cursor, label)).orElse(range);
            if (left.isEmpty()) {
                continue;
            }
            String fromKey = BucketKey.sortKey(granularity, left.from());
            String toKey = BucketKey.sortKey(granularity, left.to().minusSeconds(1));
            for (int keyShard = 0; keyShard < scope.dataset().keyShards(); keyShard++) {
                shards.add(new ShardQuery(Source.TABLE, shards.size(), partitionKey(label, keyShard), fromKey, toKey,
                        descending, consistent, left.to(), List.of()));
            }
        }
        return new QueryPlan.Stage(granularity, shards);
    }

    /** A label has one bucket of a start. Buckets of the same start follow each other in the order of their labels. */
    private static TimeRange beyond(TimeRange range, boolean descending, Cursor cursor, Label label) {
        List<String> place = new ArrayList<>(List.of(cursor.start().toString()));
        place.addAll(label.values());
        int order = Utf8Order.ASCENDING.compare(KeyCodec.encode(place), cursor.position());
        Instant next = cursor.start().plusSeconds(1);
        return descending
                ? new TimeRange(range.from(), order < 0 ? next : cursor.start())
                : new TimeRange(order > 0 ? cursor.start() : next, range.to());
    }

    private String partitionKey(Label label, int keyShard) {
        return new SeriesKey(scope.tenant(), scope.dataset().name(), label, keyShard).partitionKey();
    }
}
