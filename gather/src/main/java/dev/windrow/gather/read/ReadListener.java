package dev.windrow.gather.read;

import dev.windrow.dataset.Dataset;

/** Is notified of requests to the table. */
public interface ReadListener {

    /**
     * A page was read.
     *
     * @param tookNanos time from the request to the page, for this attempt alone
     */
    void read(Dataset dataset, long tookNanos, ShardPage page);

    void failed(Throwable failure);

    /** A slow shard is read once more. */
    void hedged();
}
