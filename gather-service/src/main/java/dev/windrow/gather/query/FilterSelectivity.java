package dev.windrow.gather.query;

/**
 * Estimates the share of items that a filter lets through, to choose page sizes. While nothing has passed, it assumes one
 * of all items read, so that pages grow severalfold from one to the next.
 */
public final class FilterSelectivity {

    private long read;
    private long passed;

    /** Notes a page. */
    public void add(int itemsRead, int itemsPassed) {
        read += itemsRead;
        passed += itemsPassed;
    }

    /** How many items to read so that about as many pass as are wanted; {@link Long#MAX_VALUE} for all there are. */
    public long toRead(long wanted) {
        return wanted == Long.MAX_VALUE ? wanted : (long) Math.ceil(wanted * ((read + 1.0) / (passed + 1.0)));
    }
}
