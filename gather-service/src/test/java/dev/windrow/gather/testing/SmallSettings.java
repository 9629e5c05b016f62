package dev.windrow.gather.testing;

import java.time.Duration;
import java.util.Optional;

import jakarta.enterprise.inject.Produces;
import jakarta.inject.Singleton;

import org.eclipse.microprofile.config.inject.ConfigProperty;

import dev.windrow.gather.live.LiveSettings;
import dev.windrow.gather.read.ReadSettings;
import io.quarkus.test.Mock;

/**
 * Replaces constants in tests of the whole service. Test resources and profiles set other values under the prefix
 * {@code test.}; the service itself knows none of these keys.
 */
@Mock
public class SmallSettings {

    private static final ReadSettings USUAL = ReadSettings.DEFAULTS;
    private static final int WATCHED_BUCKETS = 50;

    @Produces
    @Singleton
    ReadSettings reads(@ConfigProperty(name = "test.slow-client-timeout") Optional<Duration> slowClientTimeout,
            @ConfigProperty(name = "test.attempt-timeout") Optional<Duration> attemptTimeout,
            @ConfigProperty(name = "test.breaker-reads") Optional<Integer> breakerReads,
            @ConfigProperty(name = "test.breaker-delay") Optional<Duration> breakerDelay,
            @ConfigProperty(name = "test.lanes-timeout") Optional<Duration> lanesTimeout) {
        // Tests write lanes, and answers must reflect them at once.
        return new ReadSettings(USUAL.maxStreams(), slowClientTimeout.orElse(USUAL.slowClientTimeout()),
                attemptTimeout.orElse(USUAL.attemptTimeout()), breakerReads.orElse(USUAL.breakerReads()),
                breakerDelay.orElse(USUAL.breakerDelay()), Duration.ZERO, lanesTimeout.orElse(USUAL.lanesTimeout()),
                Duration.ofSeconds(1));
    }

    @Produces
    @Singleton
    LiveSettings live() {
        return new LiveSettings(Duration.ofMillis(200), Duration.ofSeconds(1), WATCHED_BUCKETS);
    }
}
