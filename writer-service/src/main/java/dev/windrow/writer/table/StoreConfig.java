package dev.windrow.writer.table;

import java.time.Duration;
import java.util.OptionalDouble;

import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;

/** Settings of writes to the table. */
@ConfigMapping(prefix = "windrow.writer.store")
public interface StoreConfig {

    /**
     * Maximum number of writes of buckets in flight. Each event loop may open 32 connections more than this, for the journal's
     * lanes and records.
     *
     * @return requests, 1 or more
     */
    @WithDefault("64")
    int maxConcurrency();

    /**
     * Maximum write units per second and process of bucket updates, table and index together; the journal's own writes are
     * not limited. Without it the rate is unlimited until the table throttles.
     *
     * @return write units per second, more than 0
     */
    OptionalDouble maxWriteUnits();

    /**
     * How long one request to the table may take.
     *
     * @return more than 0
     */
    @WithDefault("5s")
    Duration timeout();

    /**
     * Maximum pause before the second attempt of a write. The maximum doubles with each further attempt, and the pause is
     * drawn at random below it.
     *
     * @return more than 0, at most {@code windrow.writer.store.max-backoff}
     */
    @WithDefault("25ms")
    Duration initialBackoff();

    /**
     * Maximum pause before any attempt. Writes are retried until they succeed; meanwhile their messages wait.
     *
     * @return at least {@code windrow.writer.store.initial-backoff}
     */
    @WithDefault("2s")
    Duration maxBackoff();

    /**
     * Number of latest requests the circuit breaker looks at, of the last ten seconds. It opens when a request fails and at
     * least half of them failed or timed out.
     *
     * @return requests, 1 or more
     */
    @WithDefault("20")
    int circuitBreakerRequests();

    /**
     * How long the circuit breaker stays open; no request is sent meanwhile.
     *
     * @return more than 0
     */
    @WithDefault("2s")
    Duration circuitBreakerDelay();
}
