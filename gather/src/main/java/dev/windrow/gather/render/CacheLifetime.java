package dev.windrow.gather.render;

/** How long a client may cache an answer. */
public enum CacheLifetime {

    /** Not at all: the client requested consistent data, or data is or may be missing. */
    NOT("no-store"),
    /**
     * For a moment: its buckets may still change, or the same request may later be about another range. The finest buckets
     * are written once a second.
     */
    BRIEFLY("private, max-age=1"),
    /**
     * For an hour, the time that a range stays open by default: every bucket of the range ended so long ago that late
     * events are rare.
     */
    LONG("private, max-age=3600");

    final String cacheControl;

    CacheLifetime(String cacheControl) {
        this.cacheControl = cacheControl;
    }
}
