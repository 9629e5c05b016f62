package dev.windrow.gather.prometheus;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.stream.LongStream;

/**
 * The times that a query is evaluated at.
 *
 * @param start the first
 * @param step from one to the next; positive
 * @param count how many; positive
 */
public record EvaluationTimes(Instant start, Duration step, int count) {

    /** One time. */
    public static EvaluationTimes at(Instant time) {
        return new EvaluationTimes(time, Duration.ofSeconds(1), 1);
    }

    /** All of them in order. */
    public List<Instant> all() {
        return LongStream.range(0, count).mapToObj(this::at).toList();
    }

    /** One of them. */
    public Instant at(long index) {
        return start.plus(step.multipliedBy(index));
    }
}
