package dev.windrow.dataset;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

import org.jspecify.annotations.Nullable;

import dev.windrow.base.Durations;

/**
 * The event times that a dataset accepts, relative to the sent time of the event's message. They are not relative to now,
 * so that each delivery of a message gets the same result.
 *
 * @param past how far back, not negative; null for any
 * @param future how far ahead, not negative; null for any
 */
public record EventTimeBounds(@Nullable Duration past, @Nullable Duration future) {

    public static final EventTimeBounds ANY = new EventTimeBounds(null, null);

    /**
     * Checks an event's time.
     *
     * @return the expectation that is not met; empty if the time is accepted
     */
    public Optional<String> problem(Instant time, Instant sent) {
        if (past != null && Duration.between(time, sent).compareTo(past) > 0) {
            return Optional.of("a time at most " + Durations.text(past) + " before the message was sent at " + sent
                    + ", found " + time);
        }
        if (future != null && Duration.between(sent, time).compareTo(future) > 0) {
            return Optional.of("a time at most " + Durations.text(future) + " after the message was sent at " + sent
                    + ", found " + time);
        }
        return Optional.empty();
    }
}
