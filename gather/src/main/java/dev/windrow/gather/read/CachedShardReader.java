package dev.windrow.gather.read;

import java.io.IOException;
import java.math.BigDecimal;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

import org.jspecify.annotations.Nullable;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

import dev.windrow.dataset.Measure;
import dev.windrow.dataset.MeasureKind;
import dev.windrow.dataset.MeasureKind.Part;
import dev.windrow.dataset.MeasureKind.PartReader;
import dev.windrow.dataset.MeasureKind.PartWriter;
import dev.windrow.dataset.MeasureValue;
import dev.windrow.gather.plan.MeasureValues;
import dev.windrow.gather.plan.QueryPlan.ShardQuery;
import dev.windrow.gather.read.ShardMerge.ShardItem;
import dev.windrow.gather.read.ShardReader.ShardPage;
import io.quarkus.cache.Cache;
import io.quarkus.cache.CaffeineCache;
import io.smallrye.mutiny.Uni;

/**
 * Keeps pages of closed ranges for a while. A range is closed when it ended longer ago than events are usually late; one
 * that is later still is seen when the page is dropped. Consistent reads pass by, and so do pages that would take up too
 * much memory. Concurrent readers of one page each read it: sharing a read would tie one client's cancellation to another.
 *
 * @param closedAfter how long after its end a range counts as closed
 * @param maxItems largest page that is kept
 */
record CachedShardReader(ShardReader reader, PageCache cache, Clock clock, Duration closedAfter,
        int maxItems) implements ShardReader {

    /** A thousand pages of this size, as many as are kept by default, take some 100 MB at most. */
    static final int MAX_PAGE_ITEMS = 500;

    /** Where pages are kept. */
    interface PageCache {

        /** The page, or null as item if it is not kept. */
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
            // Where there is nothing, there may soon be: old events are read in as well.
            if (!page.items().isEmpty() && page.items().size() <= maxItems) {
                cache.keep(read, page);
            }
        }));
    }

    /** Pages in this process's memory, bounded in number and age by the cache's settings. */
    static final class CaffeinePageCache implements PageCache {

        private final CaffeineCache pages;

        CaffeinePageCache(Cache pages) {
            this.pages = pages.as(CaffeineCache.class);
        }

        /** What a page depends on. */
        private record Key(String dataset, ShardQuery query, Optional<ShardPage.Position> after, int limit) {

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

    /** Writes pages as JSON for a cache that several gatherers share. Numbers are text, so that they stay exact. */
    static final class PageCodec {

        private static final ObjectMapper JSON = new ObjectMapper();

        static String encode(ShardPage page) {
            ObjectNode tree = JSON.createObjectNode().put("scanned", page.scannedItems()).put("units", page.readUnits());
            page.next().ifPresent(next -> {
                ObjectNode position = tree.putObject("next");
                next.key().forEach(position::put);
            });
            ArrayNode items = tree.putArray("items");
            for (ShardItem item : page.items()) {
                ArrayNode values = items.addObject().put("key", item.key()).put("group", item.group()).putArray("values");
                item.values().forEach((measure, value) -> add(values, measure, value));
            }
            return tree.toString();
        }

        private static void add(ArrayNode values, Measure measure, @Nullable MeasureValue value) {
            if (value == null) {
                values.addNull();
                return;
            }
            ArrayNode parts = values.addArray();
            measure.kind().write(value, new PartWriter() {
                @Override
                public void number(Part part, BigDecimal number) {
                    parts.add(number.toString());
                }

                @Override
                public void time(Part part, Instant time) {
                    parts.add(time.toString());
                }
            });
        }

        static ShardPage decode(List<Measure> measures, String text) throws IOException {
            JsonNode tree = JSON.readTree(text);
            List<ShardItem> items = new ArrayList<>();
            for (JsonNode item : tree.get("items")) {
                List<@Nullable MeasureValue> values = new ArrayList<>();
                for (int i = 0; i < measures.size(); i++) {
                    values.add(value(measures.get(i).kind(), item.get("values").get(i)));
                }
                items.add(new ShardItem(item.get("key").asText(), item.get("group").asText(),
                        new MeasureValues(measures, values)));
            }
            Optional<ShardPage.Position> next = Optional.ofNullable(tree.get("next")).map(position -> {
                Map<String, String> key = new HashMap<>();
                position.properties().forEach(part -> key.put(part.getKey(), part.getValue().asText()));
                return new ShardPage.Position(key);
            });
            return new ShardPage(items, next, tree.get("scanned").asInt(), tree.get("units").asDouble());
        }

        private static @Nullable MeasureValue value(MeasureKind kind, JsonNode value) {
            Iterator<JsonNode> parts = value.iterator();
            return value.isNull() ? null : kind.read(new PartReader() {
                @Override
                public BigDecimal number(Part part) {
                    return new BigDecimal(parts.next().asText());
                }

                @Override
                public Instant time(Part part) {
                    return Instant.parse(parts.next().asText());
                }
            });
        }
    }
}
