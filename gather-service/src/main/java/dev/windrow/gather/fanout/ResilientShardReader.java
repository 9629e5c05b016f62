package dev.windrow.gather.fanout;

import java.time.temporal.ChronoUnit;
import java.util.EnumSet;
import java.util.Set;
import java.util.concurrent.CancellationException;

import jakarta.enterprise.util.TypeLiteral;

import org.eclipse.microprofile.faulttolerance.exceptions.CircuitBreakerOpenException;
import org.jspecify.annotations.Nullable;

import dev.windrow.reason.Reason;
import io.smallrye.faulttolerance.api.TypedGuard;
import io.smallrye.mutiny.Uni;
import io.smallrye.mutiny.subscription.Cancellable;

/**
 * Retries reads that failed for a transient reason, with backoff and jitter; a circuit breaker spares a table that fails most
 * reads until some time has gone by. The shards share one breaker: they are one table.
 */
final class ResilientShardReader implements ShardReader {

    private static final Set<Reason> PASSING = EnumSet.of(Reason.THROTTLED, Reason.UNAVAILABLE, Reason.TIMED_OUT);
    private static final Set<Reason> OUTAGE = EnumSet.of(Reason.UNAVAILABLE, Reason.TIMED_OUT);

    private final ShardReader reader;
    private final TypedGuard<Uni<ShardPage>> guard;

    ResilientShardReader(ShardReader reader, FanoutConfig.Resilience config) {
        this.reader = reader;
        this.guard = TypedGuard.create(new TypeLiteral<Uni<ShardPage>>() {
            private static final long serialVersionUID = 1L;
        }).withDescription("shard read")
                // Reads never block, so they need not change threads, which two tasks of the event loop for each would be.
                .withThreadOffload(false)
                .withRetry().maxRetries(config.maxRetries())
                .delay(config.initialBackoff().toMillis(), ChronoUnit.MILLIS)
                .jitter(config.initialBackoff().toMillis() / 2, ChronoUnit.MILLIS)
                .whenException(failure -> isOneOf(PASSING, failure))
                .withExponentialBackoff().factor(2).maxDelay(config.maxBackoff().toMillis(), ChronoUnit.MILLIS).done()
                .done()
                .withCircuitBreaker().requestVolumeThreshold(config.circuitBreakerReads())
                .failureRatio(config.circuitBreakerFailureRatio())
                .delay(config.circuitBreakerDelay().toMillis(), ChronoUnit.MILLIS)
                .when(failure -> isOneOf(OUTAGE, failure))
                .done()
                .build();
    }

    private static boolean isOneOf(Set<Reason> reasons, Throwable failure) {
        return failure instanceof GatherException known && reasons.contains(known.reason());
    }

    @Override
    public Uni<ShardPage> read(Read read) {
        return Uni.createFrom().deferred(() -> {
            Attempts attempts = new Attempts();
            return guard.get(() -> attempts.begin(reader.read(read)))
                    .onFailure(CircuitBreakerOpenException.class).transform(open -> new GatherException(Reason.UNAVAILABLE,
                            "the circuit breaker is open, as many reads failed; trying again soon"))
                    .onCancellation().invoke(attempts::cancel);
        });
    }

    /** The attempt under way. The guard does not pass a cancellation on, so it is done here. */
    private static final class Attempts {
        private @Nullable Cancellable current;
        private boolean cancelled;

        Uni<ShardPage> begin(Uni<ShardPage> attempt) {
            return Uni.createFrom().emitter(emitter -> {
                Cancellable begun = attempt.onCancellation()
                        .invoke(() -> emitter.fail(new CancellationException("the read was given up")))
                        .subscribe().with(emitter::complete, emitter::fail);
                if (!keep(begun)) {
                    begun.cancel();
                }
            });
        }

        private synchronized boolean keep(Cancellable begun) {
            current = begun;
            return !cancelled;
        }

        void cancel() {
            Cancellable running;
            synchronized (this) {
                cancelled = true;
                running = current;
            }
            if (running != null) {
                running.cancel();
            }
        }
    }
}
