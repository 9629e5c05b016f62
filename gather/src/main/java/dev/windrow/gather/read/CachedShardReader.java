package dev.windrow.gather.read;

import java.io.IOException;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

import org.jspecify.annotations.Nullable;

import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.datatype.jsr310.JavaTimeModule;

import dev.windrow.dataset.Measure;
import dev.windrow.dataset.MeasureValue;
import dev.windrow.gather.plan.MeasureValues;
import dev.windrow.gather.plan.QueryPlan.ShardQuery;
import dev.windrow.gather.read.ShardMerge.ShardItem;
import dev.windrow.gather.read.ShardReader.ShardPage;
import io.quarkus.cache.CaffeineCache;
import io.quarkus.runtime.annotations.RegisterForReflection;
import io.smallrye.mutiny.Uni;
import io.smallrye.mutiny.unchecked.Unchecked;

/**
 * Caches pages of closed ranges for a while. A range is closed when it ended longer ago than events are usually late; even
 * later ones show once the page has expired. Consistent reads bypass the cache, and pages that would take too much memory are
 * not cached. Concurrent readers of a page each read it: sharing would tie one client's cancellation to another.
 *
 * @param closedAfter how long after its end a range counts as closed
 * @param maxItems largest page that is kept
 */
record CachedShardReader(ShardReader reader, PageCache cache, Clock clock, Duration closedAfter,
        int maxItems) implements ShardReader {

    /** A thousand pages of this size, the cache's default capacity, take at most about 100 MB. */
    static final int MAX_PAGE_ITEMS = 500;

    interface PageCache {

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

    /** Pages in this process's memory, bounded in number and age by the cache's settings. */
    record CaffeinePageCache(CaffeineCache pages) implements PageCache {

        /** The cache key of a page: everything that its content depends on. */
        private record Key(String dataset, ShardQuery query, Optional<Map<String, String>> after, int limit) {

            static Key of(Read read) {
                return new Key(read.dataset().name(), read.query(), read.after(), read.limit());
            }
        }

        @Override
        public Uni<ShardPage> find(Read read) {
            CompletableFuture<ShardPage> found = pages.getIfPresent(Key.of(read));
            return found == null ? Uni.createFrom().nullItem() : Uni.createFrom().completionStage(found);
        }

        @Override
        public void keep(Read read, ShardPage page) {
            pages.put(Key.of(read), CompletableFuture.completedFuture(page));
        }
    }

    /** A page as JSON in a cache that several gatherers share. Numbers stay exact. */
    @RegisterForReflection(targets = { PageDocument.class, PageDocument.Item.class, MeasureValue.class })
    record PageDocument(List<Item> items, @Nullable Map<String, String> next, int scanned, double units) {

        private static final ObjectMapper JSON = new ObjectMapper().registerModule(new JavaTimeModule())
                .enable(DeserializationFeature.FAIL_ON_MISSING_CREATOR_PROPERTIES);

        record Item(String key, String group, List<@Nullable MeasureValue> values) {
        }

        static String encode(ShardPage page) {
            List<Item> items = page.items().stream()
                    .map(item -> new Item(item.key(), item.group(), item.values().values())).toList();
            return Unchecked.supplier(() -> JSON.writeValueAsString(
                    new PageDocument(items, page.next().orElse(null), page.scannedItems(), page.readUnits()))).get();
        }

        static ShardPage decode(List<Measure> measures, String text) throws IOException {
            PageDocument page = JSON.readValue(text, PageDocument.class);
            return new ShardPage(page.items.stream()
                    .map(item -> new ShardItem(item.key, item.group, new MeasureValues(measures, item.values))).toList(),
                    Optional.ofNullable(page.next), page.scanned, page.units);
        }
    }
}
