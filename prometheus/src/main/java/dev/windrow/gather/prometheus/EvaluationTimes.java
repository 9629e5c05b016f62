package dev.windrow.gather.prometheus;

import java.time.Duration;
import java.time.Instant;

/**
 * The times at which a query is evaluated.
 *
 * @param step from one time to the next; positive
 * @param count number of times; positive
 */
public record EvaluationTimes(Instant start, Duration step, int count) {

    public static EvaluationTimes at(Instant time) {
        return new EvaluationTimes(time, Duration.ofSeconds(1), 1);
    }

    public Instant at(long index) {
        return start.plus(step.multipliedBy(index));
    }
}
