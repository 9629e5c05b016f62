package dev.windrow.gather.read;

import java.util.Map;
import java.util.Optional;

import dev.windrow.dataset.Dataset;
import dev.windrow.gather.plan.ShardQuery;
import io.smallrye.mutiny.Uni;

/** Reads one page of one shard. The port to the table; implementations may wrap each other. */
public interface ShardReader {

    /**
     * Reads a page once subscribed to; cancelling it cancels the request.
     *
     * @return the page, or a {@link GatherException}
     */
    Uni<ShardPage> read(Read read);

    /** Returns the reader for one of several concurrent queries: if reads have to wait, the queries take turns. */
    default ShardReader ofQuery() {
        return this;
    }

    /**
     * A request for one page.
     *
     * @param dataset the dataset whose measures the items hold
     * @param query the shard and its range
     * @param after where the page before ended: the key attributes of its last item, as text
     * @param limit maximum number of items read for it, before filters
     */
    record Read(Dataset dataset, ShardQuery query, Optional<Map<String, String>> after, int limit) {
    }

}
