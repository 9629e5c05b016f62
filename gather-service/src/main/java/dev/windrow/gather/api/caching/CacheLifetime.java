package dev.windrow.gather.api.caching;

/** How long a client may keep an answer. */
public enum CacheLifetime {

    /** Not at all: the client requested consistent data, or something is, or may be, missing. */
    NOT,
    /** For a moment: its buckets may still change, or the same request be about another range. */
    BRIEFLY,
    /** For long: every bucket of its range has ended long enough ago that late events are rare. */
    LONG
}
