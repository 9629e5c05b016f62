package dev.windrow.gather.fanout;

/**
 * The number of items to read from each shard at a time. Hashing spreads items about evenly, so a limited answer reads from
 * each shard its share plus three standard deviations. That is nearly always enough, whereas reading the whole limit from
 * each would multiply the items read (and paid for) by the number of shards. A shard that runs out is read again.
 *
 * @param maxBuffered approximate maximum number of items of one answer held at a time, over all shards
 */
record PageSizes(int maxBuffered) {

    /** Largest page of an unlimited answer; at a few hundred bytes an item, still far below DynamoDB's 1 MB. */
    private static final int LARGEST = 1_000;
    private static final int SMALLEST = 10;
    private static final double SLACK_DEVIATIONS = 3;

    /** The largest page of a shard, however many items are wanted. */
    public int largest(int shards) {
        return Math.max(SMALLEST, Math.min(LARGEST, maxBuffered / shards));
    }

    /**
     * Items to read from one shard.
     *
     * @param shards number of shards read in this way
     * @param wanted items still missing over all shards; {@link Long#MAX_VALUE} for all there are
     */
    public int pageSize(int shards, long wanted) {
        int whole = largest(shards);
        if (shards == 1) {
            return (int) Math.min(wanted, whole);
        }
        double share = (double) Math.min(wanted, Integer.MAX_VALUE) / shards;
        double withSlack = Math.ceil(share + SLACK_DEVIATIONS * Math.sqrt(share)) + 1;
        return (int) Math.min(Math.min((long) withSlack, wanted), whole);
    }
}
