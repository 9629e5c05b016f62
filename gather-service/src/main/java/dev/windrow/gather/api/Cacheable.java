package dev.windrow.gather.api;

import org.jspecify.annotations.Nullable;

/** An answer that says how long it may be kept. */
interface Cacheable {

    /** How long it may be kept if nothing is missing. */
    CacheLifetime cacheLifetime();

    /** Whether nothing is missing. */
    boolean complete();

    /** How it was gathered, if that was asked for: another time it is gathered otherwise. */
    @Nullable
    Object explain();
}
