package dev.windrow.gather.read;

import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

import dev.windrow.gather.plan.ShardQuery;
import dev.windrow.gather.read.CachedShardReader.PageCache;
import dev.windrow.gather.read.ShardReader.Read;
import io.quarkus.cache.CaffeineCache;
import io.smallrye.mutiny.Uni;

/** Pages in this process's memory, bounded in number and age by the cache's settings. */
public record CaffeinePageCache(CaffeineCache pages) implements PageCache {

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
