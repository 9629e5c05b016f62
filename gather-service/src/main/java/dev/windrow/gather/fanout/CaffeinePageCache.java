package dev.windrow.gather.fanout;

import java.util.Optional;
import java.util.concurrent.CompletableFuture;

import dev.windrow.gather.query.ShardQuery;
import io.quarkus.cache.Cache;
import io.quarkus.cache.CaffeineCache;
import io.smallrye.mutiny.Uni;

/** Pages in this process's memory, bounded in number and age by the cache's settings. */
final class CaffeinePageCache implements CachedShardReader.PageCache {

    private final CaffeineCache pages;

    CaffeinePageCache(Cache pages) {
        this.pages = pages.as(CaffeineCache.class);
    }

    /** What a page depends on. */
    private record Key(String dataset, ShardQuery query, Optional<ShardPage.Position> after, int limit) {

        static Key of(ShardReader.Read read) {
            return new Key(read.dataset().name(), read.query(), read.after(), read.limit());
        }
    }

    @Override
    public Uni<ShardPage> find(ShardReader.Read read) {
        CompletableFuture<ShardPage> found = pages.getIfPresent(Key.of(read));
        return found == null ? Uni.createFrom().nullItem() : Uni.createFrom().completionStage(found);
    }

    @Override
    public void keep(ShardReader.Read read, ShardPage page) {
        pages.put(Key.of(read), CompletableFuture.completedFuture(page));
    }
}
