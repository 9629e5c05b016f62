package dev.windrow.writer.store;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ScheduledExecutorService;

import dev.windrow.reason.Reason;
import io.smallrye.mutiny.Uni;
import io.smallrye.mutiny.subscription.UniEmitter;

/**
 * Lets writes through at the level's rate, in order, and lowers it when one is throttled. How many can wait is bounded by
 * the series that are written at a time; what they hold back waits in the queue.
 */
final class RateLimitedWrites implements TableWrites {

    private static final Duration STEP = Duration.ofMillis(10);

    private final TableWrites writes;
    private final AimdRateLimiter level;
    private final ScheduledExecutorService timer;
    private final Queue<Waiter> waiting = new ArrayDeque<>();
    private boolean stepping;

    private record Waiter(double units, UniEmitter<? super Void> emitter) {
    }

    RateLimitedWrites(TableWrites writes, AimdRateLimiter level, ScheduledExecutorService timer) {
        this.writes = writes;
        this.level = level;
        this.timer = timer;
    }

    @Override
    public Uni<WriteResult> write(TableWrite write) {
        double estimate = write.estimatedUnits();
        return Uni.createFrom().<Void> emitter(emitter -> enter(new Waiter(estimate, emitter)))
                .chain(() -> writes.write(write))
                .invoke(receipt -> level.applied(estimate, receipt.units() == 0 ? estimate : receipt.units()))
                .onFailure(RateLimitedWrites::isThrottled).invoke(level::throttled);
    }

    private void enter(Waiter waiter) {
        synchronized (this) {
            waiting.add(waiter);
        }
        waiter.emitter.onTermination(() -> forget(waiter));
        step();
    }

    private synchronized void forget(Waiter waiter) {
        waiting.remove(waiter);
    }

    /** Lets through what may go, and looks again a moment later if some must wait. */
    private void step() {
        List<Waiter> admitted = new ArrayList<>();
        boolean again = false;
        synchronized (this) {
            Waiter next = waiting.peek();
            while (next != null && level.tryTake(next.units)) {
                waiting.remove();
                admitted.add(next);
                next = waiting.peek();
            }
            if (next != null && !stepping) {
                stepping = true;
                again = true;
            }
        }
        if (again) {
            Uni.createFrom().voidItem().onItem().delayIt().onExecutor(timer).by(STEP).subscribe().with(ignored -> {
                synchronized (this) {
                    stepping = false;
                }
                step();
            });
        }
        admitted.forEach(waiter -> waiter.emitter.complete(null));
    }

    private static boolean isThrottled(Throwable failure) {
        return failure instanceof WriteFailedException failed && failed.reason() == Reason.THROTTLED;
    }
}
