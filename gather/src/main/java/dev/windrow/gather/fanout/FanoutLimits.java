package dev.windrow.gather.fanout;

import java.time.Duration;

/**
 * Concurrency and memory limits of the fan-out.
 *
 * @param maxReadsPerQuery maximum number of reads in flight for one query
 * @param maxQueries maximum number of queries running at a time
 * @param maxQueuedQueries maximum number of queries waiting for their turn
 * @param maxStreams maximum number of streams running at a time; as many more may wait
 * @param slowClientTimeout how long a stream waits for its client to read more
 * @param maxItemsPerQuery approximate number of items of one query held in memory
 */
public record FanoutLimits(int maxReadsPerQuery, int maxQueries, int maxQueuedQueries, int maxStreams,
        Duration slowClientTimeout, int maxItemsPerQuery) {

    /** A quarter of all reads by default, so that one wide query leaves room for others. */
    static final int MAX_READS_PER_QUERY = 128;

    /** A few megabytes: the default number of concurrent queries uses only part of a heap of 256 MiB. */
    static final int MAX_ITEMS_PER_QUERY = 20_000;
}
