package dev.windrow.writer.table;

import java.util.function.LongSupplier;

import dev.windrow.base.CircuitBreaker;
import dev.windrow.base.Reason;
import dev.windrow.writer.table.TableWrites.TableWrite;
import dev.windrow.writer.table.TableWrites.WriteFailedException;
import dev.windrow.writer.table.TableWrites.WriteResult;
import io.smallrye.mutiny.Uni;

/** A circuit breaker around writes: while the table fails, few requests are sent. */
public final class BreakerWrites implements TableWrites {

    private static final WriteFailedException OPEN = new WriteFailedException(Reason.UNAVAILABLE,
            "the circuit breaker is open, as many writes failed; trying again soon");
    private static final double OUTAGE_RATIO = 0.5;

    private final TableWrites writes;
    private final CircuitBreaker breaker;

    /** @param nanoTime a monotonic clock */
    public BreakerWrites(TableWrites writes, StoreConfig config, LongSupplier nanoTime) {
        this.writes = writes;
        this.breaker = new CircuitBreaker(config.circuitBreakerRequests(), OUTAGE_RATIO,
                config.circuitBreakerDelay().toNanos(), nanoTime);
    }

    @Override
    public Uni<WriteResult> write(TableWrite write) {
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
}
