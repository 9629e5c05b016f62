package dev.windrow.gather.query;

/**
 * Learns which share of the items read a filter lets through, so that pages can be as long as what is wanted takes. Where
 * nothing passed so far, one in all that were read is supposed to, so that pages grow several times from one to the next.
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
