package dev.windrow.writer.table;

import java.time.Duration;
import java.util.OptionalDouble;

import dev.windrow.base.SettingRange;
import io.quarkus.runtime.annotations.RegisterForReflection;
import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;

/** Settings of writes to the table. */
@RegisterForReflection
@ConfigMapping(prefix = "windrow.writer.store")
public interface StoreConfig {

    /**
     * Maximum number of writes of buckets in flight. Each event loop may open 32 connections more than this, for the journal's
     * lanes and records.
     */
    @SettingRange(unit = "requests", min = "1")
    @WithDefault("64")
    int maxConcurrency();

    /**
     * Maximum write units per second and process of bucket updates, table and index together; the journal's own writes are
     * not limited. Without it the rate is unlimited until the table throttles.
     */
    @SettingRange(unit = "write units per second", above = "0")
    OptionalDouble maxWriteUnits();

    /**
     * How long one request to the table may take.
     */
    @SettingRange(above = "0s")
    @WithDefault("5s")
    Duration timeout();

    /**
     * Maximum pause before the second attempt of a write. The maximum doubles with each further attempt, and the pause is
     * drawn at random below it.
     */
    @SettingRange(above = "0s", max = "windrow.writer.store.max-backoff")
    @WithDefault("25ms")
    Duration initialBackoff();

    /**
     * Maximum pause before any attempt. Writes are retried until they succeed; meanwhile their messages wait.
     */
    @SettingRange(min = "windrow.writer.store.initial-backoff")
    @WithDefault("2s")
    Duration maxBackoff();

    /**
     * Number of latest requests the circuit breaker looks at, of the last ten seconds. It opens when a request fails and at
     * least half of them failed or timed out.
     */
    @SettingRange(unit = "requests", min = "1")
    @WithDefault("20")
    int circuitBreakerRequests();

    /**
     * How long the circuit breaker stays open; no request is sent meanwhile.
     */
    @SettingRange(above = "0s")
    @WithDefault("2s")
    Duration circuitBreakerDelay();
}
