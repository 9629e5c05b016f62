package dev.windrow.writer.store;

import static java.time.temporal.ChronoUnit.MILLIS;

import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.LongSupplier;
import java.util.random.RandomGenerator;

import jakarta.enterprise.util.TypeLiteral;

import dev.windrow.admission.CircuitBreaker;
import dev.windrow.reason.Reason;
import io.smallrye.faulttolerance.api.TypedGuard;
import io.smallrye.mutiny.Uni;

/**
 * Retries writes that may succeed later, with exponential backoff and full jitter, behind a circuit breaker: while the
 * table fails, few requests are sent. There is no last attempt, since giving up would only mean receiving the same messages
 * again; after a cancellation, the attempt in flight is the last one.
 */
public final class RetryingWrites implements TableWrites {

    private static final TypeLiteral<Uni<WriteResult>> RECEIPT = new TypeLiteral<>() {
    };
    private static final WriteFailedException CANCELLED = new WriteFailedException(Reason.INTERNAL, "cancelled");
    private static final WriteFailedException OPEN = new WriteFailedException(Reason.UNAVAILABLE,
            "the circuit breaker is open, as many writes failed; trying again soon");
    private static final double OUTAGE_RATIO = 0.5;
    private static final int FOREVER = -1;

    private final TableWrites writes;
    private final TypedGuard<Uni<WriteResult>> retries;
    private final CircuitBreaker breaker;

    /** @param nanoTime a monotonic clock */
    public RetryingWrites(TableWrites writes, StoreConfig config, RandomGenerator random, LongSupplier nanoTime) {
        this.writes = writes;
        this.retries = TypedGuard.create(RECEIPT)
                .withDescription("retries of table writes")
                .withRetry().maxRetries(FOREVER).maxDuration(0, MILLIS).delay(0, MILLIS).jitter(0, MILLIS)
                .whenException(RetryingWrites::isRetryable)
                .withCustomBackoff()
                .strategy(() -> new FullJitter(config.initialBackoff(), config.maxBackoff(), random)).done()
                .done()
                .build();
        this.breaker = new CircuitBreaker(config.circuitBreakerRequests(), OUTAGE_RATIO,
                config.circuitBreakerDelay().toNanos(), nanoTime);
    }

    @Override
    public Uni<WriteResult> write(TableWrite write) {
        return Uni.createFrom().deferred(() -> {
            // The retries would continue after cancellation otherwise; without end while the circuit breaker is open.
            AtomicBoolean cancelled = new AtomicBoolean();
            return retries.get(() -> cancelled.get()
                    ? Uni.createFrom().failure(CANCELLED)
                    : attempt(write))
                    .onCancellation().invoke(() -> cancelled.set(true));
        });
    }

    private Uni<WriteResult> attempt(TableWrite write) {
        long permission = breaker.tryCall();
        if (permission == CircuitBreaker.REJECTED) {
            return Uni.createFrom().failure(OPEN);
        }
        return Uni.createFrom().deferred(() -> writes.write(write))
                .onItem().invoke(written -> breaker.succeeded(permission))
                .onFailure().invoke(failure -> {
                    if (failure instanceof WriteFailedException failed && failed.isOutage()) {
                        breaker.failed(permission);
                    } else {
                        breaker.succeeded(permission);
                    }
                })
                .onCancellation().invoke(() -> breaker.givenUp(permission));
    }

    private static boolean isRetryable(Throwable failure) {
        return failure instanceof WriteFailedException failed && failed.isRetryable();
    }
}
