package dev.windrow.gather.fanout;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.function.Function;

import dev.windrow.reason.Reason;
import dev.windrow.time.TimerDelays;
import io.smallrye.mutiny.Uni;

/** When a query must have ended that reads several times, one after the other: its timeout is not that of each read. */
public final class Deadline {

    private final Clock clock;
    private final Instant end;

    private Deadline(Clock clock, Instant end) {
        this.clock = clock;
        this.end = end;
    }

    /** That of a query which begins now. */
    public static Deadline after(Duration timeout, Clock clock) {
        return new Deadline(clock, clock.instant().plus(timeout));
    }

    /**
     * One of the query's reads; fails with the reason timed-out if no time is left to begin it.
     *
     * @param read is given the time that is left
     */
    public <T> Uni<T> read(Function<Duration, Uni<T>> read) {
        return Uni.createFrom().deferred(() -> {
            Duration left = Duration.between(clock.instant(), end);
            if (TimerDelays.isOver(left)) {
                return Uni.createFrom().failure(new GatherException(Reason.TIMED_OUT, "the time for the answer is over"));
            }
            return read.apply(left);
        });
    }
}
