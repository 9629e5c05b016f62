package dev.windrow.writer.table;

import static java.time.temporal.ChronoUnit.MILLIS;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.random.RandomGenerator;

import jakarta.enterprise.util.TypeLiteral;

import dev.windrow.base.Reason;
import dev.windrow.writer.queue.ReasonCounters;
import dev.windrow.writer.table.TableWrites.ConditionFailedException;
import dev.windrow.writer.table.TableWrites.TableWrite;
import dev.windrow.writer.table.TableWrites.WriteFailedException;
import dev.windrow.writer.table.TableWrites.WriteResult;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import io.smallrye.faulttolerance.api.CustomBackoffStrategy;
import io.smallrye.faulttolerance.api.TypedGuard;
import io.smallrye.mutiny.Uni;

/**
 * Retries writes that may succeed later, with exponential backoff and full jitter. There is no last attempt, since giving up
 * would only mean receiving the same messages again; after a cancellation, the attempt in flight is the last one.
 */
public final class RetryingWrites implements TableWrites {

    private static final TypeLiteral<Uni<WriteResult>> RECEIPT = new TypeLiteral<>() {
    };
    private static final WriteFailedException CANCELLED = new WriteFailedException(Reason.INTERNAL, "cancelled");
    private static final int FOREVER = -1;

    private final TableWrites writes;
    private final TypedGuard<Uni<WriteResult>> retries;

    public RetryingWrites(TableWrites writes, StoreConfig config, RandomGenerator random) {
        this.writes = writes;
        this.retries = TypedGuard.create(RECEIPT)
                .withDescription("retries of table writes")
                .withRetry().maxRetries(FOREVER).maxDuration(0, MILLIS).delay(0, MILLIS).jitter(0, MILLIS)
                .whenException(RetryingWrites::isRetryable)
                .withCustomBackoff()
                .strategy(() -> new FullJitter(config.initialBackoff(), config.maxBackoff(), random)).done()
                .done()
                .build();
    }

    @Override
    public Uni<WriteResult> write(TableWrite write) {
        return Uni.createFrom().deferred(() -> {
            // The retries would continue after cancellation otherwise; without end while the circuit breaker is open.
            AtomicBoolean cancelled = new AtomicBoolean();
            return retries.get(() -> cancelled.get()
                    ? Uni.createFrom().failure(CANCELLED)
                    : writes.write(write))
                    .onCancellation().invoke(() -> cancelled.set(true));
        });
    }

    private static boolean isRetryable(Throwable failure) {
        return failure instanceof WriteFailedException failed && failed.isRetryable();
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
    public static final class MeteredWrites implements TableWrites {

        private final TableWrites writes;
        private final MeterRegistry registry;
        private final Counter transactions;
        private final Counter updates;
        private final Counter units;
        private final Counter conditions;
        private final Timer duration;
        private final ReasonCounters failures;

        public MeteredWrites(TableWrites writes, MeterRegistry registry) {
            this.writes = writes;
            this.registry = registry;
            this.transactions = counter("windrow.writer.transactions", "Transactions that were applied");
            this.updates = counter("windrow.writer.updates", "Single updates that were applied");
            this.units = counter("windrow.writer.write.units",
                    "Write units consumed from table and index, as reported by the table");
            this.conditions = counter("windrow.writer.condition.failures",
                    "Writes whose condition did not hold: claims of known messages, what was applied before, and extremes that lost");
            this.duration = Timer.builder("windrow.writer.write").description("Duration of requests to the table")
                    .register(registry);
            this.failures = new ReasonCounters(registry, "windrow.writer.write.failures",
                    "Writes that failed, each attempt counted");
        }

        @Override
        public Uni<WriteResult> write(TableWrite write) {
            return Uni.createFrom().deferred(() -> {
                Timer.Sample sample = Timer.start(registry);
                return writes.write(write)
                        .onTermination().invoke(() -> sample.stop(duration))
                        .invoke(receipt -> {
                            (write.transactional() ? transactions : updates).increment();
                            units.increment(receipt.units());
                        })
                        .onFailure().invoke(this::failed);
            });
        }

        private void failed(Throwable failure) {
            if (failure instanceof ConditionFailedException) {
                conditions.increment();
            } else if (failure instanceof WriteFailedException write) {
                failures.increment(write.reason());
            }
        }

        private Counter counter(String name, String description) {
            return Counter.builder(name).description(description).register(registry);
        }
    }
}
