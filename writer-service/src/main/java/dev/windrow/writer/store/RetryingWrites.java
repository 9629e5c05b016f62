package dev.windrow.writer.store;

import static java.time.temporal.ChronoUnit.MILLIS;

import java.util.concurrent.atomic.AtomicBoolean;
import java.util.random.RandomGenerator;

import jakarta.enterprise.util.TypeLiteral;

import dev.windrow.base.Reason;
import io.smallrye.faulttolerance.api.TypedGuard;
import io.smallrye.mutiny.Uni;

/**
 * Retries writes that may succeed later, with exponential backoff and full jitter. There is no last attempt, since giving up
 * would only mean receiving the same messages again; after a cancellation, the attempt in flight is the last one.
 */
final class RetryingWrites implements TableWrites {

    private static final TypeLiteral<Uni<WriteResult>> RECEIPT = new TypeLiteral<>() {
    };
    private static final WriteFailedException CANCELLED = new WriteFailedException(Reason.INTERNAL, "cancelled");
    private static final int FOREVER = -1;

    private final TableWrites writes;
    private final TypedGuard<Uni<WriteResult>> retries;

    RetryingWrites(TableWrites writes, StoreConfig config, RandomGenerator random) {
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
}
