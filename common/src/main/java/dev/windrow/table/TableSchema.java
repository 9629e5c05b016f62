package dev.windrow.table;

import java.util.Optional;

import dev.windrow.dataset.MeasureKind.Part;

/**
 * Names of the storage format: one table, one sparse index over it. They are read by every release that shares a table,
 * so they are never changed.
 */
public final class TableSchema {

    /** Default name of the table. */
    public static final String TABLE = "windrow";

    /** The scattered global secondary index; all attributes are projected, as answers need every measure. */
    public static final String INDEX = "scatter";

    /** Table partition key: tenant, dataset, label or its first values, key shard. */
    public static final String PK = "pk";

    /**
     * Table sort key: granularity, bucket start, values of the label that are not in the partition key; of items of the
     * journal, what they are.
     */
    public static final String SK = "sk";

    /** Index partition key: tenant, dataset, granularity, scatter shard. Only indexed buckets have it. */
    public static final String INDEX_PK = "ipk";

    /** Index sort key: bucket start, label, key shard. Only indexed buckets have it. */
    public static final String INDEX_SK = "isk";

    /** Time to live in seconds since the epoch, on what the journal may forget. */
    public static final String TTL = "ttl";

    /** How partition keys begin that are no bucket's: names of tenants begin with a letter or digit. */
    public static final String OWN_PREFIX = "~";

    /**
     * Partition key of the item that holds what each dataset was last written as. It is neither a series' key, which has
     * at least three separators, nor can it be a tenant's: their names begin with a letter or digit.
     */
    public static final String DATASETS_PK = "~datasets";

    /** Sort key of that item. */
    public static final String DATASETS_SK = "shapes";

    /** Claimed ids of a slot of the journal, a binary set. */
    public static final String CLAIMED_IDS = "ids";

    /** Sort key of a lane of the journal. */
    public static final String LANE_SK = "lane";

    /** Maximum number of lanes, and so of writers at a time. Those that exist have the lowest numbers. */
    public static final int MAX_LANES = 64;

    /** How often a lane was acquired. */
    public static final String LANE_EPOCH = "epoch";

    /** Grows with each write of a lane, so it identifies the last one within an epoch. */
    public static final String LANE_BEAT = "beat";

    /** The holder of a lane, human-readable; absent if it was released. */
    public static final String LANE_HOLDER = "holder";

    /** The position of a lane's last record. */
    public static final String LANE_POSITION = "position";

    /** All records of a lane up to this position are in all their buckets. */
    public static final String LANE_APPLIED = "applied";

    /** Additions of a lane that will not be applied, and whose dead letters may not have been sent; empty if there are none. */
    public static final String LANE_PARKINGS = "parkings";

    /**
     * The granularities that lag behind what a lane has claimed, as {@link dev.windrow.table.Freshness.WatermarkCodec} writes
     * them.
     */
    public static final String LANE_WATERMARKS = "watermarks";

    private static final String RANK_INDEX_PREFIX = "rank-";
    private static final String RANK_PREFIX = "r_";
    private static final String RANKED_PREFIX = "k_";
    private static final String RANKING_PREFIX = "c_";
    private static final String LANE_PREFIX = "~lane#";
    private static final String LANE_POSITION_PREFIX = "j";
    /**
     * In the item of {@link #DATASETS_PK}, while its first writer enters more datasets than one request can: the fingerprint of
     * all of them.
     */
    public static final String ENTERING = "entering";

    private static final String DATASET_PREFIX = "d_";

    private TableSchema() {
    }

    /** The attribute that holds a dataset's shape, in the item of {@link #DATASETS_PK}. */
    public static String datasetAttribute(String dataset) {
        return DATASET_PREFIX + dataset;
    }

    /** The dataset of an attribute that {@link #datasetAttribute} names; empty if it is another. */
    public static Optional<String> registeredDataset(String attribute) {
        return attribute.startsWith(DATASET_PREFIX) ? Optional.of(attribute.substring(DATASET_PREFIX.length()))
                : Optional.empty();
    }

    /** Partition key of a lane of the journal; no tenant's, like that of {@link #DATASETS_PK}. */
    public static String lanePartitionKey(int lane) {
        return LANE_PREFIX + lane;
    }

    /**
     * The number of the lane with that partition key.
     *
     * @throws IllegalArgumentException if it is no lane's
     */
    public static int laneNumber(String partitionKey) {
        if (!partitionKey.startsWith(LANE_PREFIX)) {
            throw new IllegalArgumentException("expected a lane's partition key, found '" + partitionKey + "'");
        }
        return Integer.parseInt(partitionKey.substring(LANE_PREFIX.length()));
    }

    /** The attribute of a bucket that holds up to which record of a lane it has all additions. */
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

    /**
     * The attribute that holds which leaderboard by a measure an item is in, as {@link dev.windrow.table.RankKey} writes it.
     */
    public static String rankAttribute(String measure) {
        return RANK_PREFIX + measure;
    }

    /** The attribute that holds the leaderboards that all items of a dataset are in, beside {@link #datasetAttribute}. */
    public static String rankedAttribute(String dataset) {
        return RANKED_PREFIX + dataset;
    }

    /**
     * The attribute that holds the leaderboards that a command has begun to complete, beside {@link #rankedAttribute}. It
     * is changed by each writer that starts and does not keep them: the command has to start over then.
     */
    public static String rankingAttribute(String dataset) {
        return RANKING_PREFIX + dataset;
    }

    /** The dataset of an attribute that {@link #rankedAttribute} or {@link #rankingAttribute} names; empty if it is another. */
    public static Optional<String> datasetOfRanks(String attribute) {
        return attribute.startsWith(RANKED_PREFIX) || attribute.startsWith(RANKING_PREFIX)
                ? Optional.of(attribute.substring(RANKED_PREFIX.length()))
                : Optional.empty();
    }

    /** Whether a key attribute of table or index is a number; all others are strings. */
    public static boolean isNumber(String keyAttribute) {
        return keyAttribute.startsWith(Part.VALUE.attribute(""));
    }

    /** Limits of DynamoDB and SQS that Windrow's formats rest on (developer guides, "Quotas" and "Service limits"). */
    public static final class AwsLimits {

        /** Maximum length of a partition key of a table or index, in UTF-8 bytes. */
        public static final int PARTITION_KEY_BYTES = 2_048;

        /** Maximum length of a sort key of a table or index, in UTF-8 bytes. */
        public static final int SORT_KEY_BYTES = 1_024;

        /** Maximum size of an item, names and values together, in bytes. */
        public static final int ITEM_BYTES = 400 * 1_024;

        /** Maximum number of items of one transaction. */
        public static final int TRANSACTION_ITEMS = 100;

        /** Maximum number of messages of one receive, send or delete batch. */
        public static final int QUEUE_BATCH = 10;

        private AwsLimits() {
        }
    }
}
