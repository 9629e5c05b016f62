package dev.windrow.writer.store;

import java.time.Duration;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.atomic.AtomicBoolean;

import dev.windrow.base.AdmissionQueue;
import dev.windrow.base.AdmissionQueue.Gate;
import dev.windrow.base.Reason;
import io.smallrye.mutiny.Uni;

/**
 * Lets writes through at the rate limiter's rate, in order, and lowers it when one is throttled, unless that is for its key
 * alone. How many can wait is bounded by the updates that the journal has in flight; everything behind them waits in the queue
 * (backpressure).
 */
final class RateLimitedWrites implements TableWrites {

    private static final Duration STEP = Duration.ofMillis(10);

    private final TableWrites writes;
    private final AimdRateLimiter limiter;
    private final HotKeys hotKeys;
    private final ScheduledExecutorService timer;
    private final AdmissionQueue turns = new AdmissionQueue(new RateGate());
    private final AtomicBoolean lookingAgain = new AtomicBoolean();

    RateLimitedWrites(TableWrites writes, AimdRateLimiter limiter, HotKeys hotKeys, ScheduledExecutorService timer) {
        this.writes = writes;
        this.limiter = limiter;
        this.hotKeys = hotKeys;
        this.timer = timer;
    }

    @Override
    public Uni<WriteResult> write(TableWrite write) {
        int estimate = write.estimatedUnits();
        return turns.run(estimate, () -> writes.write(write))
                .invoke(receipt -> {
                    hotKeys.explains(write, false);
                    limiter.applied(estimate, receipt.units() == 0 ? estimate : receipt.units());
                })
                .onFailure(RateLimitedWrites::isThrottled).invoke(failure -> throttled(write, (WriteFailedException) failure));
    }

    private void throttled(TableWrite write, WriteFailedException failure) {
        boolean explained = hotKeys.explains(write, true);
        boolean ofKey = switch (failure.throttling()) {
            case KEY -> true;
            case WHOLE -> false;
            case UNKNOWN -> explained;
        };
        if (ofKey) {
            limiter.applied(write.estimatedUnits(), 0);
        } else {
            limiter.throttled();
        }
    }

    private void lookAgain() {
        if (lookingAgain.compareAndSet(false, true)) {
            Uni.createFrom().voidItem().onItem().delayIt().onExecutor(timer).by(STEP).subscribe().with(ignored -> {
                lookingAgain.set(false);
                turns.wakeUp();
            });
        }
    }

    private static boolean isThrottled(Throwable failure) {
        return failure instanceof WriteFailedException failed && failed.reason() == Reason.THROTTLED;
    }

    /** Admits writes at the limiter's rate. While one must wait, the limiter is checked again a moment later. */
    private final class RateGate implements Gate {

        @Override
        public boolean tryTake(long units) {
            boolean taken = limiter.tryTake((double) units);
            if (!taken) {
                lookAgain();
            }
            return taken;
        }

        @Override
        public void giveBack(long units) {
            // What was written does not come back; the rate brings new units.
        }
    }
}
