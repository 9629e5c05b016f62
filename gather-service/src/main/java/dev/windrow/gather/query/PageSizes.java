package dev.windrow.gather.query;

/**
 * How many items to read from each shard at a time. Shards of a hash get about equal shares, so a page of a limited answer
 * reads from each its share plus slack of three standard deviations: nearly always enough, while the whole limit from each
 * would read (and pay for) as many times too much as there are shards. A shard that runs out is read again.
 */
public final class PageSizes {

    /** Largest page of an unlimited answer; with items of some hundred bytes still far below DynamoDB's 1 MB. */
    private static final int LARGEST = 1_000;
    private static final int SMALLEST = 10;
    private static final double SLACK_DEVIATIONS = 3;

    private final int maxBuffered;

    /** @param maxBuffered about how many items of one answer may be held at a time, over all shards */
    public PageSizes(int maxBuffered) {
        this.maxBuffered = maxBuffered;
    }

    /** The largest page of a shard, whatever is wanted. */
    public int largest(int shards) {
        return Math.max(SMALLEST, Math.min(LARGEST, maxBuffered / shards));
    }

    /**
     * Items to read from one shard.
     *
     * @param shards that are read alike
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
