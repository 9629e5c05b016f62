package dev.windrow.gather.read;

import java.time.Clock;
import java.time.Duration;

import io.smallrye.mutiny.Uni;

/**
 * Caches pages of closed ranges for a while. A range is closed when it ended longer ago than events are usually late; even
 * later ones show once the page has expired. Consistent reads bypass the cache, and pages that would take too much memory are
 * not cached. Concurrent readers of a page each read it: sharing would tie one client's cancellation to another.
 *
 * @param closedAfter how long after its end a range counts as closed
 * @param maxItems largest page that is kept
 */
public record CachedShardReader(ShardReader reader, PageCache cache, Clock clock, Duration closedAfter,
        int maxItems) implements ShardReader {

    /** A thousand pages of this size, the cache's default capacity, take at most about 100 MB. */
    public static final int MAX_PAGE_ITEMS = 500;

    public interface PageCache {

        /** Finds the page; the item is null if it is not cached. */
        Uni<ShardPage> find(Read read);

        void keep(Read read, ShardPage page);
    }

    @Override
    public ShardReader ofQuery() {
        return new CachedShardReader(reader.ofQuery(), cache, clock, closedAfter, maxItems);
    }

    @Override
    public Uni<ShardPage> read(Read read) {
        boolean closed = read.query().until().isBefore(clock.instant().minus(closedAfter));
        if (!closed || read.query().consistent()) {
            return reader.read(read);
        }
        return cache.find(read).onItem().ifNull().switchTo(() -> reader.read(read).onItem().invoke(page -> {
            // Empty pages are not cached: old events may still be imported.
            if (!page.items().isEmpty() && page.items().size() <= maxItems) {
                cache.keep(read, page);
            }
        }));
    }

}
