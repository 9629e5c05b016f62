package dev.windrow.writer.store;

import java.time.Duration;
import java.util.OptionalDouble;

import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;

/** Settings of writes to the table. */
@ConfigMapping(prefix = "windrow.writer.store")
public interface StoreConfig {

    /** Most requests to the table under way at a time; the client has connections for as many. */
    @WithDefault("64")
    int maxConcurrency();

    /** Most write units per second, table and index together; as many as wanted if absent. */
    OptionalDouble maxWriteUnits();

    /** How long one request may take. */
    @WithDefault("5s")
    Duration timeout();

    /** Longest pause before a second try; the bound doubles with each further one. The pause is drawn below the bound. */
    @WithDefault("25ms")
    Duration initialBackoff();

    /** Longest pause before any try. Writes are tried until they succeed: their messages wait in the queue meanwhile. */
    @WithDefault("2s")
    Duration maxBackoff();

    /** Once at least half of that many requests in a row failed or timed out, none is sent for a while. */
    @WithDefault("20")
    int circuitBreakerRequests();

    /** For how long none is sent then. */
    @WithDefault("2s")
    Duration circuitBreakerDelay();

    /**
     * A message is handed back while the table denies one of its labels, and becomes a dead letter once it was received
     * that often, if the table takes other writes meanwhile; else it goes on waiting.
     */
    @WithDefault("10")
    int maxDeniedReceives();

    /**
     * How long a ledger slot is kept after it was last written. It must be longer than a message may wait in queue and
     * dead-letter queue, at most 14 days (SQS): the writer does not start if a queue keeps messages longer.
     */
    @WithDefault("15d")
    Duration ledgerRetention();

    /** How many extremes are remembered, so that values that cannot win are not written. */
    @WithDefault("100000")
    int extremesCacheSize();
}
