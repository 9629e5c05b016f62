package dev.windrow.gather.read;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.function.Function;

import dev.windrow.base.Reason;
import dev.windrow.base.SharedTimer.TimerDelays;
import io.smallrye.mutiny.Uni;

/**
 * The deadline of a query that reads several times, one after the other: all reads share the query's timeout.
 *
 * @param reads how many there may be, the next one included
 */
public record Deadline(Clock clock, Instant end, int reads) {

    /** What an answer is given beyond its deadline to be put together without the shards that missed it. */
    static final Duration GRACE = Duration.ofSeconds(1);

    /** A share is no shorter: hardly any shard that works is slower than that. */
    private static final Duration MIN_SHARE = Duration.ofMillis(100);

    /** The deadline of a query that begins now. */
    public static Deadline after(Duration timeout, Clock clock) {
        return new Deadline(clock, clock.instant().plus(timeout), 1);
    }

    /** The same for a read that others may have to follow: so many in all. */
    public Deadline firstOf(int count) {
        return new Deadline(clock, end, count);
    }

    /**
     * Until when a read that begins now may wait for shards where partial answers are allowed: it has an equal share of the
     * time that is left. With all of it, a single shard that never answers would leave none for the reads that follow, and
     * instead of a partial answer there would be none.
     */
    Instant endOfShare() {
        Instant now = clock.instant();
        Instant share = now.plus(Duration.between(now, end).dividedBy(reads));
        Instant least = now.plus(MIN_SHARE);
        return share.isAfter(least) ? share : least.isBefore(end) ? least : end;
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
                return Uni.createFrom().failure(late());
            }
            return read.apply(left);
        });
    }

    /**
     * To be called now and then while an answer is computed from what was read: that may take until the deadline, and a little
     * longer, as reads may end with it.
     *
     * @throws GatherException with {@link Reason#TIMED_OUT} if that time is over
     */
    public void check() {
        if (clock.instant().isAfter(end.plus(GRACE))) {
            throw late();
        }
    }

    /** What a query fails with that has no time left. */
    static GatherException late() {
        return new GatherException(Reason.TIMED_OUT, "the deadline has passed");
    }
}
