package dev.windrow.table;

import java.util.Optional;

import dev.windrow.dataset.MeasurePart;

/**
 * Names in the storage format: one table with one sparse index. Every release that shares a table reads them, so they never
 * change.
 */
public final class TableSchema {

    /** Default name of the table. */
    public static final String TABLE = "windrow";

    /** The scattered global secondary index; all attributes are projected, as answers need every measure. */
    public static final String INDEX = "scatter";

    /** Table partition key: tenant, dataset, label or its first values, key shard. */
    public static final String PK = "pk";

    /**
     * Table sort key: granularity, bucket start, label values that are not in the partition key; for journal items, their kind.
     */
    public static final String SK = "sk";

    /** Index partition key: tenant, dataset, granularity, scatter shard. Only indexed buckets have it. */
    public static final String INDEX_PK = "ipk";

    /** Index sort key: bucket start, label, key shard. Only indexed buckets have it. */
    public static final String INDEX_SK = "isk";

    /** Expiry time in seconds since the epoch (DynamoDB's TTL), on buckets and journal items that are not kept forever. */
    public static final String TTL = "ttl";

    /** Prefix of partition keys that are not a bucket's: names of tenants begin with a letter or digit. */
    public static final String OWN_PREFIX = "~";

    /**
     * Partition key of the item that stores the shape with which each dataset was last written. It cannot be a series' key,
     * which has at least three separators, nor a tenant's: names of tenants begin with a letter or digit.
     */
    public static final String DATASETS_PK = "~datasets";

    /** Sort key of that item. */
    public static final String DATASETS_SK = "shapes";

    /** Claimed ids of a slot of the journal, a binary set. */
    public static final String CLAIMED_IDS = "ids";

    /** Sort key of a lane of the journal. */
    public static final String LANE_SK = "lane";

    /** Maximum number of lanes, and so of concurrent writers. Existing lanes have the lowest numbers. */
    public static final int MAX_LANES = 64;

    /** Grows with each acquisition of a lane. */
    public static final String LANE_EPOCH = "epoch";

    /** Grows with each write of a lane, so it identifies the last write within an epoch. */
    public static final String LANE_BEAT = "beat";

    /** The holder of a lane, human-readable; absent if it was released. */
    public static final String LANE_HOLDER = "holder";

    /** The position of a lane's last record. */
    public static final String LANE_POSITION = "position";

    /** All records of a lane up to this position are in all their buckets. */
    public static final String LANE_APPLIED = "applied";

    /** Additions of a lane that will not be applied, and whose dead letters may not have been sent; empty if there are none. */
    public static final String LANE_PARKINGS = "parkings";

    /** The granularities that lag behind a lane's claims; see {@link dev.windrow.table.WatermarkCodec}. */
    public static final String LANE_WATERMARKS = "watermarks";

    private static final String RANK_INDEX_PREFIX = "rank-";
    private static final String RANK_PREFIX = "r_";
    private static final String RANKED_PREFIX = "k_";
    private static final String RANKING_PREFIX = "c_";
    private static final String LANE_PREFIX = "~lane#";
    private static final String LANE_POSITION_PREFIX = "j";
    /**
     * In the item of {@link #DATASETS_PK}, while its first writer registers more datasets than fit into one request: the
     * fingerprint of all of them.
     */
    public static final String ENTERING = "entering";

    private static final String DATASET_PREFIX = "d_";

    private TableSchema() {
    }

    /** The attribute of a dataset's shape, in the item of {@link #DATASETS_PK}. */
    public static String datasetAttribute(String dataset) {
        return DATASET_PREFIX + dataset;
    }

    /** The dataset of an attribute that {@link #datasetAttribute} names; empty for any other attribute. */
    public static Optional<String> registeredDataset(String attribute) {
        return attribute.startsWith(DATASET_PREFIX) ? Optional.of(attribute.substring(DATASET_PREFIX.length()))
                : Optional.empty();
    }

    /** Partition key of a lane of the journal; like {@link #DATASETS_PK}, it cannot be a tenant's. */
    public static String lanePartitionKey(int lane) {
        return LANE_PREFIX + lane;
    }

    /**
     * The number of the lane with that partition key.
     *
     * @throws IllegalArgumentException if it is not a lane's key
     */
    public static int laneNumber(String partitionKey) {
        if (!partitionKey.startsWith(LANE_PREFIX)) {
            throw new IllegalArgumentException("expected a lane's partition key, found '" + partitionKey + "'");
        }
        return Integer.parseInt(partitionKey.substring(LANE_PREFIX.length()));
    }

    /** The attribute of a bucket with the position of a lane's record up to which it has all additions. */
    public static String lanePosition(int lane) {
        return LANE_POSITION_PREFIX + lane;
    }

    /**
     * The global secondary index of all leaderboards by measures of that name: keys only, with {@link #rankAttribute} as
     * partition key and the measure's value as sort key. An item without a value of the measure is not in it.
     */
    public static String rankIndex(String measure) {
        return RANK_INDEX_PREFIX + measure;
    }

    /** The attribute with the leaderboard by a measure that an item is in; see {@link dev.windrow.table.RankKey}. */
    public static String rankAttribute(String measure) {
        return RANK_PREFIX + measure;
    }

    /** The attribute with the leaderboards that all items of a dataset are in, beside {@link #datasetAttribute}. */
    public static String rankedAttribute(String dataset) {
        return RANKED_PREFIX + dataset;
    }

    /**
     * The attribute with the leaderboards that a command has begun to complete, beside {@link #rankedAttribute}. Each writer
     * that starts and does not maintain them changes it: then the command must start over.
     */
    public static String rankingAttribute(String dataset) {
        return RANKING_PREFIX + dataset;
    }

    /** The dataset of an attribute of {@link #rankedAttribute} or {@link #rankingAttribute}; empty for any other attribute. */
    public static Optional<String> datasetOfRanks(String attribute) {
        return attribute.startsWith(RANKED_PREFIX) || attribute.startsWith(RANKING_PREFIX)
                ? Optional.of(attribute.substring(RANKED_PREFIX.length()))
                : Optional.empty();
    }

    /** Whether a key attribute of the table or an index is a number; all others are strings. */
    public static boolean isNumber(String keyAttribute) {
        return keyAttribute.startsWith(MeasurePart.VALUE.attribute(""));
    }

}
