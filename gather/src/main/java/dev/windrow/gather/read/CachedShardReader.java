package dev.windrow.gather.read;

import java.io.IOException;
import java.math.BigDecimal;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

import dev.windrow.dataset.Measure;
import dev.windrow.dataset.MeasureValue;
import dev.windrow.gather.plan.MeasureValues;
import dev.windrow.gather.plan.QueryPlan.ShardQuery;
import dev.windrow.gather.read.ShardMerge.ShardItem;
import dev.windrow.gather.read.ShardReader.ShardPage;
import io.quarkus.cache.CaffeineCache;
import io.smallrye.mutiny.Uni;

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

    /** Writes pages as JSON for a cache that several gatherers share. Numbers are written as text, so that they stay exact. */
    static final class PageCodec {

        private static final ObjectMapper JSON = new ObjectMapper();

        static String encode(ShardPage page) {
            ObjectNode tree = JSON.createObjectNode().put("scanned", page.scannedItems()).put("units", page.readUnits());
            page.next().ifPresent(next -> {
                ObjectNode position = tree.putObject("next");
                next.forEach(position::put);
            });
            ArrayNode items = tree.putArray("items");
            for (ShardItem item : page.items()) {
                ArrayNode values = items.addObject().put("key", item.key()).put("group", item.group()).putArray("values");
                item.values().values().forEach(value -> add(values, value));
            }
            return tree.toString();
        }

        private static void add(ArrayNode values, @Nullable MeasureValue value) {
            if (value == null) {
                values.addNull();
            } else {
                ArrayNode parts = values.addArray().add(value.value().toString());
                Stream.ofNullable(value.time()).map(Instant::toString).forEach(parts::add);
            }
        }

        static ShardPage decode(List<Measure> measures, String text) throws IOException {
            JsonNode tree = JSON.readTree(text);
            List<ShardItem> items = new ArrayList<>();
            for (JsonNode item : tree.get("items")) {
                List<@Nullable MeasureValue> values = new ArrayList<>();
                item.get("values").forEach(value -> values.add(value(value)));
                items.add(new ShardItem(item.get("key").asText(), item.get("group").asText(),
                        new MeasureValues(measures, values)));
            }
            Optional<Map<String, String>> next = Optional.ofNullable(tree.get("next")).map(position -> {
                Map<String, String> key = new HashMap<>();
                position.properties().forEach(part -> key.put(part.getKey(), part.getValue().asText()));
                return key;
            });
            return new ShardPage(items, next, tree.get("scanned").asInt(), tree.get("units").asDouble());
        }

        private static @Nullable MeasureValue value(JsonNode value) {
            return value.isNull() ? null
                    : new MeasureValue(new BigDecimal(value.get(0).asText()),
                            value.has(1) ? Instant.parse(value.get(1).asText()) : null);
        }
    }
}
