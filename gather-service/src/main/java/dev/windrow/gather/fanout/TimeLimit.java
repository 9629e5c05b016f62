package dev.windrow.gather.fanout;

import java.time.Duration;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

import dev.windrow.base.SharedTimer.TimerDelays;

/**
 * How long each wait for shards may last.
 *
 * @param left from now
 * @param timer ends waits
 */
record TimeLimit(Supplier<Duration> left, ScheduledExecutorService timer) {

    /** Whether there is no time left for a wait. */
    boolean isOver() {
        return TimerDelays.isOver(left.get());
    }

    /** Runs an action once the time is over, unless it is cancelled before. */
    ScheduledFuture<?> whenOver(Runnable action) {
        return timer.schedule(action, TimerDelays.atLeastShortest(left.get()).toNanos(), TimeUnit.NANOSECONDS);
    }
}
