package dev.windrow.writer.store;

import java.util.concurrent.ScheduledExecutorService;
import java.util.function.LongSupplier;
import java.util.random.RandomGenerator;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;

/** Puts the wrappers around the table in their order. */
public final class TableWritesStack {

    private TableWritesStack() {
    }

    /**
     * From the outside in: tries again (each try waits its turn), levels, bounds what is under way, measures, bounds how
     * long it may take.
     */
    public static TableWrites around(TableWrites table, StoreConfig config, MeterRegistry registry,
            ScheduledExecutorService timer, RandomGenerator random, LongSupplier nanoTime) {
        AimdRateLimiter level = new AimdRateLimiter(config.maxWriteUnits().orElse(Double.POSITIVE_INFINITY), nanoTime);
        Gauge.builder("windrow.writer.write.rate", level, AimdRateLimiter::rate)
                .description("Write units per second that leveling allows").register(registry);
        TableWrites timed = new TimeoutWrites(table, config.timeout());
        TableWrites bounded = new BoundedWrites(new MeteredWrites(timed, registry), config.maxConcurrency());
        return new RetryingWrites(new RateLimitedWrites(bounded, level, timer), config, random);
    }
}
