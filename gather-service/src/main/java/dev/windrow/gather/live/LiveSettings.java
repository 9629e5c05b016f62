package dev.windrow.gather.live;

import java.time.Duration;

import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Singleton;

/**
 * Settings that no operator has to choose; tests use smaller values.
 *
 * @param pollInterval time between two polls of the watched buckets
 * @param maxBuckets maximum number of buckets that one stream watches
 */
public record LiveSettings(Duration pollInterval, Duration heartbeatInterval, int maxBuckets) {

    public static final LiveSettings DEFAULTS = new LiveSettings(
            // Fine buckets are written once a second.
            Duration.ofSeconds(1),
            // Proxies close connections after 30 or 60 idle seconds.
            Duration.ofSeconds(15),
            // All are read in each poll, and held to detect changes.
            10_000);

    /** Provides the defaults unless a test provides other settings. */
    @ApplicationScoped
    static class Producer {

        @Produces
        @Singleton
        LiveSettings settings() {
            return DEFAULTS;
        }
    }
}
