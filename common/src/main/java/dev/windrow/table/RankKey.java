package dev.windrow.table;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

import dev.windrow.base.KeyCodec;
import dev.windrow.scatter.Murmur3;
import dev.windrow.time.Granularity;

/**
 * Partition keys of the rank indexes: tenant, dataset, granularity, bucket start, the values of the attributes that labels are
 * ranked within, and the rank shard. Part of the storage format.
 */
public final class RankKey {

    private RankKey() {
    }

    /**
     * The partition key of one shard of a leaderboard.
     *
     * @param within the values that its labels share
     * @param shard from 0 up to the rank's width, exclusive
     */
    public static String partitionKey(String tenant, String dataset, Granularity granularity, Instant start,
            List<String> within, int shard) {
        List<String> parts = new ArrayList<>(List.of(tenant, dataset, granularity.name(), start.toString()));
        parts.addAll(within);
        parts.add(Integer.toString(shard));
        return KeyCodec.encode(parts);
    }

    /** The rank shard of a label, by the hash that also chooses scatter shards. */
    public static int shard(Label label, int width) {
        return width == 1 ? 0 : (int) Math.floorMod(Murmur3.hash64(KeyCodec.encode(label.values())), (long) width);
    }

    /**
     * The partition key of a bucket.
     *
     * @param within the number of leading label values that the rank's labels share
     */
    public static String of(BucketKey bucket, int within, int width) {
        SeriesKey series = bucket.series();
        return partitionKey(series.tenant(), series.dataset(), bucket.granularity(), bucket.start(),
                series.label().values().subList(0, within), shard(series.label(), width));
    }
}
