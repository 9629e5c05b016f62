package dev.windrow.writer.table;

import static dev.windrow.writer.queue.QueueMetrics.counter;

import java.time.Duration;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.concurrent.ScheduledExecutorService;
import java.util.function.BiConsumer;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;

import dev.windrow.base.AdmissionQueue;
import dev.windrow.base.CircuitBreaker;
import dev.windrow.base.LogKey;
import dev.windrow.base.Reason;
import dev.windrow.base.Reason.Of;
import dev.windrow.base.SettingRange;
import dev.windrow.base.StructuredLogger;
import dev.windrow.writer.queue.QueueMetrics.ReasonCounters;
import dev.windrow.writer.table.RateLimit.RateTurns;
import dev.windrow.writer.table.TableWrites.ConditionFailedException;
import dev.windrow.writer.table.TableWrites.TableReads;
import dev.windrow.writer.table.TableWrites.TableWrite;
import dev.windrow.writer.table.TableWrites.WriteFailedException;
import dev.windrow.writer.table.TableWrites.WriteResult;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import io.quarkus.runtime.annotations.RegisterForReflection;
import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;
import io.smallrye.mutiny.Uni;

/**
 * Sends writes to the table with rate limit, bounded concurrency, circuit breaker, health and metrics. Each is sent once:
 * retries are up to the caller, which knows what else is waiting to be sent. Thread-safe.
 */
public final class TableWriter implements TableWrites {

    private static final WriteFailedException OPEN = new WriteFailedException(Reason.UNAVAILABLE,
            "the circuit breaker is open, as many writes failed; trying again soon");
    private static final double OUTAGE_RATIO = 0.5;
    /** The breaker's window, within ten seconds: a third of the default concurrency, so that first failures show an outage. */
    private static final int LATEST_REQUESTS = 20;
    /** Short for an operator, yet long enough that all writers together send few requests to a recovering table. */
    private static final Duration BREAKER_DELAY = Duration.ofSeconds(2);

    private final Target target;
    private final CircuitBreaker breaker;
    private final AdmissionQueue underWay;
    private final WriteMetrics metrics;
    /** Null for writes that must not wait behind bucket updates. */
    private final @Nullable RateTurns turns;

    /** The table, its health, and a listener for each write that ended, with its failure if any. */
    public record Target(TableWrites table, TableHealth health, BiConsumer<TableWrite, @Nullable Throwable> ended) {
    }

    private TableWriter(Target target, int concurrency, MeterRegistry registry, LongSupplier nanoTime,
            @Nullable RateTurns turns) {
        this.target = target;
        this.breaker = new CircuitBreaker(LATEST_REQUESTS, OUTAGE_RATIO, BREAKER_DELAY.toNanos(), nanoTime);
        // The number of waiting writes is bounded by the journal's requests in flight.
        this.underWay = AdmissionQueue.ofPermits(concurrency);
        this.metrics = new WriteMetrics(registry);
        this.turns = turns;
    }

    /** A writer of bucket updates, at most at the configured rate and at the rate that the table sustains. */
    public static TableWriter ofBuckets(Target target, StoreConfig config, MeterRegistry registry,
            ScheduledExecutorService timer, LongSupplier nanoTime) {
        RateLimit limiter = new RateLimit(config.maxWriteUnits().orElse(Double.POSITIVE_INFINITY), nanoTime);
        Gauge.builder("windrow.writer.write.rate", limiter, RateLimit::rate)
                .description("Write units per second that the rate limiter allows").register(registry);
        return new TableWriter(target, config.maxConcurrency(), registry, nanoTime, new RateTurns(limiter, timer));
    }

    /** A writer of lanes, claims and cuts without a rate limit: they are a heartbeat, and must not wait behind buckets. */
    public static TableWriter ofLanes(Target target, int concurrency, MeterRegistry registry, LongSupplier nanoTime) {
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
            return target.table.write(write).onTermination().invoke((result, failure, cancelled) -> {
                sample.stop(metrics.duration);
                target.ended.accept(write, failure);
                if (!cancelled) {
                    observe(write, result, failure);
                }
            });
        });
    }

    private void observe(TableWrite write, @Nullable WriteResult result, @Nullable Throwable failure) {
        if (result != null) {
            metrics.applied(write, result);
            target.health.succeeded();
        } else if (failure instanceof ConditionFailedException) {
            metrics.conditions.increment();
            target.health.succeeded();
        } else if (failure instanceof WriteFailedException failed) {
            metrics.failed(write, failed);
            target.health.failed(failed);
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
                    "Writes whose condition did not hold: claims of known messages, what was applied before, and extremes that lost");
            this.duration = Timer.builder("windrow.writer.write").description("Duration of requests to the table")
                    .register(registry);
            this.failures = new ReasonCounters(registry, "windrow.writer.write.failures",
                    "Writes that failed, each attempt counted", Of.WORLD);
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

    /** Settings of writes to the table. */
    @RegisterForReflection
    @ConfigMapping(prefix = "windrow.writer.store")
    public interface StoreConfig {

        /**
         * Maximum number of writes of buckets in flight. Each event loop may open 32 connections more than this, for the
         * journal's lanes and records.
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
    }

    /**
     * Whether the table accepts writes, and what the operator must repair if it does not. An error that may concern a single
     * label, such as denied access, is the table's problem only if no write has succeeded within a minute. Thread-safe.
     */
    public static final class TableHealth {

        /** How long after a successful write the table counts as accepting writes. */
        private static final long LATELY_NANOS = Duration.ofMinutes(1).toNanos();

        /** Minimum interval between log lines, however many writes fail. */
        private static final long LOG_NANOS = Duration.ofMinutes(1).toNanos();
        private static final StructuredLogger LOG = StructuredLogger.of(TableHealth.class);

        private record Problem(Reason reason, String detail, long nanos) {
        }

        private final LongSupplier nanoTime;
        private volatile @Nullable Long lastSuccess;
        private volatile @Nullable Problem lastProblem;
        private @Nullable Long lastLog;

        public TableHealth(LongSupplier nanoTime) {
            this.nanoTime = nanoTime;
        }

        /** Records that the table applied a write, or rejected it only because its condition did not hold. */
        void succeeded() {
            lastSuccess = nanoTime.getAsLong();
        }

        synchronized void failed(WriteFailedException failure) {
            if (failure.reason() != Reason.SCHEMA_MISMATCH && !failure.isDenied()) {
                return;
            }
            long now = nanoTime.getAsLong();
            lastProblem = new Problem(failure.reason(), failure.detail(), now);
            Long logged = lastLog;
            if (logged == null || now - logged >= LOG_NANOS) {
                lastLog = now;
                LOG.warn(takesWrites() ? "table denies some writes; unless it accepts them soon, they become dead letters"
                        : "table denies all writes; messages wait in the queue until it accepts writes",
                        LogKey.REASON.of(failure.reason().word()), LogKey.DETAIL.of(failure.detail()));
            }
        }

        /** Whether some write succeeded within the last minute. */
        boolean takesWrites() {
            Long success = lastSuccess;
            return success != null && nanoTime.getAsLong() - success < LATELY_NANOS;
        }

        /** Why the table accepts no writes, as reason and detail; null if it does, or if the operator need not act. */
        public @Nullable String problem() {
            Problem problem = lastProblem;
            Long success = lastSuccess;
            if (problem == null || (success != null && success - problem.nanos >= 0)) {
                return null;
            }
            boolean ofOneLabel = problem.reason != Reason.SCHEMA_MISMATCH && takesWrites();
            return ofOneLabel ? null : problem.reason.word() + ": " + problem.detail;
        }

        /** Wraps reads to record their failures, so that readiness shows a missing permission. */
        public TableReads watching(TableReads reads) {
            return (partitionKey, sortKey) -> reads.read(partitionKey, sortKey).onFailure(WriteFailedException.class)
                    .invoke(this::failed);
        }
    }
}
