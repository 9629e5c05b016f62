package dev.windrow.gather.render;

import org.jspecify.annotations.Nullable;

/** An answer that says how long it may be cached. */
public interface Cacheable {

    CacheLifetime cacheLifetime();

    /** The cursor of the next page, or null if there is none. */
    default @Nullable String next() {
        return null;
    }

    /** How the answer was gathered, if requested; differs from one time to the next. */
    @Nullable
    Object explain();
}
