package dev.windrow.gather.fanout;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.function.Function;

import dev.windrow.base.Reason;
import dev.windrow.base.TimerDelays;
import dev.windrow.gather.read.GatherException;
import io.smallrye.mutiny.Uni;

/**
 * The deadline of a query with several sequential reads, which share the query's timeout.
 *
 * @param reads maximum number of reads left, the next one included
 */
public record Deadline(Clock clock, Instant end, int reads) {

    /**
     * The time an answer gets beyond its deadline to be put together without the shards that missed it. Shorter than the second
     * that clients are promised, so that a refusal leaves in time as well.
     */
    static final Duration GRACE = Duration.ofMillis(800);

    /** The shortest share: a healthy shard is hardly ever slower. */
    private static final Duration MIN_SHARE = Duration.ofMillis(100);

    /** The deadline of a query that begins now. */
    public static Deadline after(Duration timeout, Clock clock) {
        return new Deadline(clock, clock.instant().plus(timeout), 1);
    }

    /** The same deadline for the first of up to {@code count} reads. */
    public Deadline firstOf(int count) {
        return new Deadline(clock, end, count);
    }

    /**
     * Returns until when a read that begins now may wait for shards if partial answers are allowed: it gets an equal share of
     * the time left. If it could use all of that, a single shard that never answers would leave no time for later reads, and
     * the query would fail instead of returning a partial answer.
     */
    Instant endOfShare() {
        Instant now = clock.instant();
        Instant share = now.plus(Duration.between(now, end).dividedBy(reads));
        Instant least = now.plus(MIN_SHARE);
        return share.isAfter(least) ? share : least.isBefore(end) ? least : end;
    }

    /**
     * Runs one of the query's reads; fails with the reason timed-out if no time is left to begin it.
     *
     * @param read receives the time left
     */
    public <T> Uni<T> read(Function<Duration, Uni<T>> read) {
        return Uni.createFrom().deferred(() -> {
            Duration left = Duration.between(clock.instant(), end);
            if (TimerDelays.isOver(left)) {
                return Uni.createFrom().failure(late());
            }
            return read.apply(left);
        });
    }

    /**
     * Checks the deadline, periodically, while an answer is computed from the data read. This may end a little after the
     * deadline, because reads may end right at it.
     *
     * @throws GatherException with {@link Reason#TIMED_OUT} if the deadline and a grace period have passed
     */
    public void check() {
        if (clock.instant().isAfter(end.plus(GRACE))) {
            throw late();
        }
    }

    /** The failure of a query that has no time left. */
    static GatherException late() {
        return new GatherException(Reason.TIMED_OUT, "the deadline has passed");
    }
}
