package dev.windrow.writer.table;

import static dev.windrow.writer.queue.QueueMetrics.counter;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ScheduledExecutorService;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;

import dev.windrow.base.AdmissionQueue;
import dev.windrow.base.CircuitBreaker;
import dev.windrow.base.FailureCause;
import dev.windrow.base.Reason;
import dev.windrow.writer.metrics.ReasonCounters;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import io.smallrye.mutiny.Uni;

/**
 * Sends writes to the table with rate limit, bounded concurrency, circuit breaker, health and metrics. Each is sent once:
 * retries are up to the caller, which knows what else is waiting to be sent. Thread-safe.
 */
public final class TableWriter implements TableClient {

    private static final WriteFailedException OPEN = new WriteFailedException(Reason.UNAVAILABLE,
            "the circuit breaker is open, as many writes failed; trying again soon");
    private static final double OUTAGE_RATIO = 0.5;
    /** The breaker's window, within ten seconds: a third of the default concurrency, so that first failures show an outage. */
    private static final int LATEST_REQUESTS = 20;
    /** Short for an operator, yet long enough that all writers together send few requests to a recovering table. */
    private static final Duration BREAKER_DELAY = Duration.ofSeconds(2);

    private final WriteTarget target;
    private final CircuitBreaker breaker;
    private final AdmissionQueue underWay;
    private final WriteMetrics metrics;
    /** Null for writes that must not wait behind bucket updates. */
    private final @Nullable RateTurns turns;

    private TableWriter(WriteTarget target, int concurrency, MeterRegistry registry, LongSupplier nanoTime,
            @Nullable RateTurns turns) {
        this.target = target;
        this.breaker = new CircuitBreaker(LATEST_REQUESTS, OUTAGE_RATIO, BREAKER_DELAY.toNanos(), nanoTime);
        // The number of waiting writes is bounded by the journal's requests in flight.
        this.underWay = AdmissionQueue.ofPermits(concurrency);
        this.metrics = new WriteMetrics(registry);
        this.turns = turns;
    }

    /** A writer of bucket updates, at most at the configured rate and at the rate that the table sustains. */
    public static TableWriter ofBuckets(WriteTarget target, StoreConfig config, MeterRegistry registry,
            ScheduledExecutorService timer, LongSupplier nanoTime) {
        RateLimit limiter = new RateLimit(config.maxWriteUnits().orElse(Double.POSITIVE_INFINITY), nanoTime);
        Gauge.builder("windrow.writer.write.rate", limiter, RateLimit::rate)
                .description("Write units per second that the rate limiter allows").register(registry);
        return new TableWriter(target, config.maxConcurrency(), registry, nanoTime, new RateTurns(limiter, timer));
    }

    /** A writer of lanes, claims and cuts without a rate limit: they are a heartbeat, and must not wait behind buckets. */
    public static TableWriter ofLanes(WriteTarget target, int concurrency, MeterRegistry registry, LongSupplier nanoTime) {
        return new TableWriter(target, concurrency, registry, nanoTime, null);
    }

    @Override
    public Uni<WriteResult> write(TableWrite write) {
        return Uni.createFrom().deferred(() -> {
            long permission = breaker.tryCall();
            if (permission == CircuitBreaker.REJECTED) {
                return Uni.createFrom().failure(OPEN);
            }
            Supplier<Uni<WriteResult>> attempt = () -> underWay.run(() -> attempt(write));
            return (turns == null ? attempt.get() : turns.run(write, attempt)).onTermination()
                    .invoke((result, failure, cancelled) -> {
                        if (cancelled) {
                            breaker.givenUp(permission);
                        } else if (failure instanceof WriteFailedException failed && failed.isOutage()) {
                            breaker.failed(permission);
                        } else {
                            breaker.succeeded(permission);
                        }
                    });
        });
    }

    private Uni<WriteResult> attempt(TableWrite write) {
        return Uni.createFrom().deferred(() -> {
            Timer.Sample sample = Timer.start(metrics.registry);
            return target.table().write(write).onTermination().invoke((result, failure, cancelled) -> {
                sample.stop(metrics.duration);
                target.ended().accept(write, failure);
                if (!cancelled) {
                    observe(write, result, failure);
                }
            });
        });
    }

    private void observe(TableWrite write, @Nullable WriteResult result, @Nullable Throwable failure) {
        if (result != null) {
            metrics.applied(write, result);
            target.health().succeeded();
        } else if (failure instanceof ConditionFailedException) {
            metrics.conditions.increment();
            target.health().succeeded();
        } else if (failure instanceof WriteFailedException failed) {
            metrics.failed(write, failed);
            target.health().failed(failed);
        }
        if (turns != null) {
            turns.ended(write, result, failure);
        }
    }

    /** Measures each request to the table. */
    public static final class WriteMetrics {

        private final MeterRegistry registry;
        private final Counter transactions;
        private final Counter updates;
        private final Counter conditions;
        private final Timer duration;
        private final ReasonCounters failures;

        public WriteMetrics(MeterRegistry registry) {
            this.registry = registry;
            this.transactions = counter(registry, "windrow.writer.transactions", "Transactions that were applied");
            this.updates = counter(registry, "windrow.writer.updates", "Single updates that were applied");
            this.conditions = counter(registry, "windrow.writer.condition.failures",
                    "Writes whose condition did not hold: claims of known messages, repeated updates, and extremes that were not better");
            this.duration = Timer.builder("windrow.writer.write").description("Duration of requests to the table")
                    .register(registry);
            this.failures = new ReasonCounters(registry, "windrow.writer.write.failures",
                    "Writes that failed, each attempt counted", FailureCause.WORLD);
        }

        private void applied(TableWrite write, WriteResult result) {
            (write.transactional() ? transactions : updates).increment();
            double ofTable = result.units();
            for (Map.Entry<String, Double> index : result.indexUnits().entrySet()) {
                units(write, index.getKey()).increment(index.getValue());
                ofTable -= index.getValue();
            }
            units(write, TABLE).increment(ofTable);
        }

        private void failed(TableWrite write, WriteFailedException failure) {
            failures.increment(failure.reason());
            if (failure.reason() == Reason.THROTTLED) {
                counter(registry, "windrow.writer.throttled.writes",
                        "Writes that the table or an index throttled, each attempt counted",
                        "dataset", write.dataset(), "resource", failure.throttled()).increment();
            }
        }

        /** The counter of a dataset's write units, from the table or from an index. */
        private Counter units(TableWrite write, String resource) {
            return counter(registry, "windrow.writer.write.units",
                    "Write units consumed from table and indexes, as reported by the table",
                    "dataset", write.dataset(), "resource", resource);
        }
    }

}
