package dev.windrow.gather.fanout;

import java.time.Clock;
import java.time.Duration;

import io.smallrye.mutiny.Uni;

/**
 * Keeps pages of closed ranges for a while. A range is closed when it ended longer ago than events are usually late; one
 * that is later still is seen when the page is dropped. Consistent reads pass by, and so do pages that would take up too
 * much memory. Concurrent readers of one page each read it: sharing a read would tie one client's cancellation to another.
 */
final class CachedShardReader implements ShardReader {

    private final ShardReader reader;
    private final PageCache cache;
    private final Clock clock;
    private final Duration closedAfter;
    private final int maxItems;

    /**
     * @param closedAfter how long after its end a range counts as closed
     * @param maxItems largest page that is kept
     */
    CachedShardReader(ShardReader reader, PageCache cache, Clock clock, Duration closedAfter, int maxItems) {
        this.reader = reader;
        this.cache = cache;
        this.clock = clock;
        this.closedAfter = closedAfter;
        this.maxItems = maxItems;
    }

    /** Where pages are kept. */
    interface PageCache {

        /** The page, or null as item if it is not kept. */
        Uni<ShardPage> find(Read read);

        /** Keeps a page for a while. */
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
            // Where there is nothing, there may soon be: old events are read in as well.
            if (!page.items().isEmpty() && page.items().size() <= maxItems) {
                cache.keep(read, page);
            }
        }));
    }
}
