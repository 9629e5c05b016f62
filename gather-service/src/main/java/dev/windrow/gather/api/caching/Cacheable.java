package dev.windrow.gather.api.caching;

import org.jspecify.annotations.Nullable;

/** An answer that says how long it may be kept. */
public interface Cacheable {

    /** How long it may be kept. */
    CacheLifetime cacheLifetime();

    /** The cursor of the page that follows, or null if none does. */
    default @Nullable String next() {
        return null;
    }

    /** How it was gathered, if requested: that differs from one time to the next. */
    @Nullable
    Object explain();
}
