package dev.windrow.gather.fanout;

import dev.windrow.dataset.Dataset;

/** Is notified of requests to the table. */
interface ReadListener {

    /**
     * A page was read.
     *
     * @param tookNanos from its request to the page, this attempt alone
     */
    void read(Dataset dataset, long tookNanos, ShardPage page);

    /** An attempt failed. */
    void failed(Throwable failure);

    /** A slow shard is read once more. */
    void hedged();
}
