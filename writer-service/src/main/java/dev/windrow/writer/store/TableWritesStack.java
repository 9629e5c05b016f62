package dev.windrow.writer.store;

import java.util.concurrent.ScheduledExecutorService;
import java.util.function.LongSupplier;
import java.util.random.RandomGenerator;

import dev.windrow.base.Bulkhead;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;

/** Puts the wrappers around the table in their order. */
public final class TableWritesStack {

    private TableWritesStack() {
    }

    /**
     * The same for writes that must not wait behind those of buckets, as they are a heartbeat: retries, limits what is in
     * flight, measures.
     *
     * @param concurrency maximum number of requests in flight
     */
    public static TableWrites unleveled(TableWrites table, int concurrency, StoreConfig config, MeterRegistry registry,
            RandomGenerator random, LongSupplier nanoTime) {
        TableWrites metered = new MeteredWrites(table, registry);
        Bulkhead underWay = new Bulkhead(concurrency);
        return new RetryingWrites(new BreakerWrites(write -> underWay.run(() -> metered.write(write)), config, nanoTime),
                config,
                random);
    }

    /**
     * One attempt at a time, which the journal repeats. From the outside in: a circuit breaker, limits the rate, limits what is
     * in flight, measures. The table itself limits how long a request may take.
     */
    public static TableWrites around(TableWrites table, StoreConfig config, MeterRegistry registry,
            ScheduledExecutorService timer, LongSupplier nanoTime) {
        AimdRateLimiter limiter = new AimdRateLimiter(config.maxWriteUnits().orElse(Double.POSITIVE_INFINITY), nanoTime);
        Gauge.builder("windrow.writer.write.rate", limiter, AimdRateLimiter::rate)
                .description("Write units per second that the rate limiter allows").register(registry);
        TableWrites metered = new MeteredWrites(table, registry);
        // How many can wait is bounded by the updates that the journal has under way.
        Bulkhead underWay = new Bulkhead(config.maxConcurrency());
        TableWrites bounded = write -> underWay.run(() -> metered.write(write));
        return new BreakerWrites(new RateLimitedWrites(bounded, limiter, new HotKeys(nanoTime), timer), config, nanoTime);
    }
}
