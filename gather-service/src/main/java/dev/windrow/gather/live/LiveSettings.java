package dev.windrow.gather.live;

import java.time.Duration;

import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Singleton;

/**
 * What no operator has to choose, and tests want to be smaller.
 *
 * @param pollInterval time between two polls of the watched buckets
 * @param maxBuckets maximum number of buckets that one stream watches
 */
public record LiveSettings(Duration pollInterval, Duration heartbeatInterval, int maxBuckets) {

    public static final LiveSettings DEFAULTS = new LiveSettings(
            // Fine buckets are written once a second.
            Duration.ofSeconds(1),
            // Proxies close connections that are idle for a minute, or half of one.
            Duration.ofSeconds(15),
            // All of them are read with each poll, and held to see what changed.
            10_000);

    /** Offers them where a test offers no others. */
    @ApplicationScoped
    static class Producer {

        @Produces
        @Singleton
        LiveSettings settings() {
            return DEFAULTS;
        }
    }
}
