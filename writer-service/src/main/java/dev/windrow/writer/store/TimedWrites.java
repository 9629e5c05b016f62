package dev.windrow.writer.store;

import static java.time.temporal.ChronoUnit.MILLIS;

import java.time.Duration;

import jakarta.enterprise.util.TypeLiteral;

import org.eclipse.microprofile.faulttolerance.exceptions.TimeoutException;

import dev.windrow.reason.Reason;
import io.smallrye.faulttolerance.api.TypedGuard;
import io.smallrye.mutiny.Uni;

/**
 * Bounds how long one request is waited for; a late one may have been applied. The client has the same limit, so that what
 * nobody waits for any more ends as well.
 */
public final class TimedWrites implements TableWrites {

    private static final TypeLiteral<Uni<WriteReceipt>> RECEIPT = new TypeLiteral<>() {
    };

    private final TableWrites writes;
    private final TypedGuard<Uni<WriteReceipt>> guard;
    private final Duration timeout;

    public TimedWrites(TableWrites writes, Duration timeout) {
        this.writes = writes;
        this.timeout = timeout;
        this.guard = TypedGuard.create(RECEIPT).withDescription("table write")
                .withTimeout().duration(timeout.toMillis(), MILLIS).done().build();
    }

    @Override
    public Uni<WriteReceipt> write(TableWrite write) {
        return guard.get(() -> writes.write(write))
                .onFailure(TimeoutException.class)
                .transform(failure -> new WriteFailedException(Reason.TIMED_OUT, "no answer within " + timeout));
    }
}
