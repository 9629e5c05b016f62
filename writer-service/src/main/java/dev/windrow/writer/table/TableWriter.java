package dev.windrow.writer.table;

import static java.time.temporal.ChronoUnit.MILLIS;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BiConsumer;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;

import jakarta.enterprise.util.TypeLiteral;

import org.jspecify.annotations.Nullable;

import dev.windrow.base.AdmissionQueue;
import dev.windrow.base.CircuitBreaker;
import dev.windrow.base.Reason;
import dev.windrow.base.Reason.Of;
import dev.windrow.writer.queue.ReasonCounters;
import dev.windrow.writer.table.RateLimit.HotKeys;
import dev.windrow.writer.table.RateLimit.RateTurns;
import dev.windrow.writer.table.TableWrites.ConditionFailedException;
import dev.windrow.writer.table.TableWrites.TableWrite;
import dev.windrow.writer.table.TableWrites.WriteFailedException;
import dev.windrow.writer.table.TableWrites.WriteResult;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import io.smallrye.faulttolerance.api.CustomBackoffStrategy;
import io.smallrye.faulttolerance.api.TypedGuard;
import io.smallrye.mutiny.Uni;

/**
 * Writes to the table: each waits for its turn, is sent, and is noted once when it ends, by all who look at it. While many
 * fail, few are sent. Thread-safe.
 */
public final class TableWriter implements TableWrites {

    private static final TypeLiteral<Uni<WriteResult>> RESULT = new TypeLiteral<>() {
    };
    private static final WriteFailedException CANCELLED = new WriteFailedException(Reason.INTERNAL, "cancelled");
    private static final WriteFailedException OPEN = new WriteFailedException(Reason.UNAVAILABLE,
            "the circuit breaker is open, as many writes failed; trying again soon");
    private static final double OUTAGE_RATIO = 0.5;
    /** Of the last ten seconds; a third of what is in flight by default, so that an outage shows with the first failures. */
    private static final int LATEST_REQUESTS = 20;
    /** DynamoDB answers in a few milliseconds again after most failures. */
    private static final Duration INITIAL_BACKOFF = Duration.ofMillis(25);
    private static final int FOREVER = -1;

    private final Target target;
    private final CircuitBreaker breaker;
    private final AdmissionQueue underWay;
    private final WriteMetrics metrics;
    /** Null for writes that must not wait behind those of buckets. */
    private final @Nullable RateTurns turns;
    /** Null where the caller repeats what failed. */
    private final @Nullable TypedGuard<Uni<WriteResult>> retries;

    /**
     * What is written to, and who else looks at how it ends.
     *
     * @param table makes one request
     * @param health of the table
     * @param ended gets each write that ended, with its failure if there is one
     */
    public record Target(TableWrites table, TableHealth health, BiConsumer<TableWrite, @Nullable Throwable> ended) {
    }

    /**
     * How an outage is waited for.
     *
     * @param maxBackoff maximum pause before any attempt
     * @param breakerDelay how long the circuit breaker stays open
     */
    record Outages(Duration maxBackoff, Duration breakerDelay) {

        /** Short to a person, and few requests of all writers to a table that recovers. */
        static final Outages DEFAULTS = new Outages(Duration.ofSeconds(2), Duration.ofSeconds(2));
    }

    private TableWriter(Target target, int concurrency, Outages outages, MeterRegistry registry, LongSupplier nanoTime,
            @Nullable RateTurns turns, @Nullable TypedGuard<Uni<WriteResult>> retries) {
        this.target = target;
        this.breaker = new CircuitBreaker(LATEST_REQUESTS, OUTAGE_RATIO,
                outages.breakerDelay().toNanos(), nanoTime);
        // How many can wait is bounded by the requests that the journal has under way.
        this.underWay = AdmissionQueue.ofPermits(concurrency);
        this.metrics = new WriteMetrics(registry);
        this.turns = turns;
        this.retries = retries;
    }

    /**
     * Writes buckets: at the rate that is set and that the table sustains, and once, as the journal knows what else there is to
     * send.
     */
    public static TableWriter ofBuckets(Target target, StoreConfig config, MeterRegistry registry,
            ScheduledExecutorService timer, LongSupplier nanoTime) {
        RateLimit limiter = new RateLimit(config.maxWriteUnits().orElse(Double.POSITIVE_INFINITY), nanoTime);
        Gauge.builder("windrow.writer.write.rate", limiter, RateLimit::rate)
                .description("Write units per second that the rate limiter allows").register(registry);
        return new TableWriter(target, config.maxConcurrency(), Outages.DEFAULTS, registry, nanoTime,
                new RateTurns(limiter, new HotKeys(nanoTime), timer), null);
    }

    /**
     * Writes lanes, claims and cuts, which must not wait behind buckets, as they are a heartbeat. What may succeed later is
     * tried again, with exponential backoff and full jitter. There is no last attempt, since giving up would only mean
     * receiving the same messages again; after a cancellation, the attempt in flight is the last one.
     */
    public static TableWriter ofLanes(Target target, int concurrency, MeterRegistry registry, RandomGenerator random,
            LongSupplier nanoTime) {
        return ofLanes(target, concurrency, Outages.DEFAULTS, registry, random, nanoTime);
    }

    static TableWriter ofLanes(Target target, int concurrency, Outages outages, MeterRegistry registry,
            RandomGenerator random, LongSupplier nanoTime) {
        return new TableWriter(target, concurrency, outages, registry, nanoTime, null, TypedGuard.create(RESULT)
                .withDescription("retries of table writes")
                .withRetry().maxRetries(FOREVER).maxDuration(0, MILLIS).delay(0, MILLIS).jitter(0, MILLIS)
                .whenException(failure -> failure instanceof WriteFailedException failed && failed.isRetryable())
                .withCustomBackoff()
                .strategy(() -> new FullJitter(INITIAL_BACKOFF, outages.maxBackoff(), random)).done()
                .done()
                .build());
    }

    @Override
    public Uni<WriteResult> write(TableWrite write) {
        TypedGuard<Uni<WriteResult>> again = retries;
        if (again == null) {
            return once(write);
        }
        return Uni.createFrom().deferred(() -> {
            // The retries would continue after cancellation otherwise; without end while the circuit breaker is open.
            AtomicBoolean cancelled = new AtomicBoolean();
            return again.get(() -> cancelled.get() ? Uni.createFrom().failure(CANCELLED) : once(write))
                    .onCancellation().invoke(() -> cancelled.set(true));
        });
    }

    private Uni<WriteResult> once(TableWrite write) {
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

    /** Pauses drawn evenly between nothing and a bound that doubles up to a limit, so that many retries spread out. */
    static final class FullJitter implements CustomBackoffStrategy {

        private final long maxMillis;
        private final RandomGenerator random;
        private long boundMillis;

        FullJitter(Duration first, Duration maximum, RandomGenerator random) {
            this.boundMillis = Math.max(1, first.toMillis());
            this.maxMillis = maximum.toMillis();
            this.random = random;
        }

        @Override
        public long nextDelayInMillis(Throwable failure) {
            long bound = Math.min(boundMillis, maxMillis);
            boundMillis = Math.min(boundMillis * 2, maxMillis);
            return random.nextLong(bound + 1);
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
        private final Map<Part, Counter> units = new ConcurrentHashMap<>();
        private final Map<Part, Counter> throttles = new ConcurrentHashMap<>();

        /** A dataset's part of the table or of an index; as many as there are. */
        private record Part(String dataset, String resource) {

            Counter.Builder tag(Counter.Builder counter) {
                return counter.tag("dataset", dataset).tag("resource", resource);
            }
        }

        public WriteMetrics(MeterRegistry registry) {
            this.registry = registry;
            this.transactions = counter("windrow.writer.transactions", "Transactions that were applied");
            this.updates = counter("windrow.writer.updates", "Single updates that were applied");
            this.conditions = counter("windrow.writer.condition.failures",
                    "Writes whose condition did not hold: claims of known messages, what was applied before, and extremes that lost");
            this.duration = Timer.builder("windrow.writer.write").description("Duration of requests to the table")
                    .register(registry);
            this.failures = new ReasonCounters(registry, "windrow.writer.write.failures",
                    "Writes that failed, each attempt counted", Of.WORLD);
        }

        private Counter counter(String name, String description) {
            return Counter.builder(name).description(description).register(registry);
        }

        private void applied(TableWrite write, WriteResult result) {
            (write.transactional() ? transactions : updates).increment();
            String dataset = write.dataset();
            double ofTable = result.units();
            for (Map.Entry<String, Double> index : result.indexUnits().entrySet()) {
                units.computeIfAbsent(new Part(dataset, index.getKey()), this::units).increment(index.getValue());
                ofTable -= index.getValue();
            }
            units.computeIfAbsent(new Part(dataset, TABLE), this::units).increment(ofTable);
        }

        private void failed(TableWrite write, WriteFailedException failure) {
            failures.increment(failure.reason());
            if (failure.reason() == Reason.THROTTLED) {
                throttles.computeIfAbsent(new Part(write.dataset(), failure.throttled()), this::throttles).increment();
            }
        }

        private Counter units(Part part) {
            return part.tag(Counter.builder("windrow.writer.write.units")
                    .description("Write units consumed from table and indexes, as reported by the table")).register(registry);
        }

        private Counter throttles(Part part) {
            return part.tag(Counter.builder("windrow.writer.throttled.writes")
                    .description("Writes that the table or an index throttled, each attempt counted")).register(registry);
        }
    }
}
