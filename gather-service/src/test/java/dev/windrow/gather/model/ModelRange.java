package dev.windrow.gather.model;

import java.time.Duration;
import java.time.Instant;

/**
 * A half-open range of bucket starts.
 *
 * @param from inclusive
 * @param to exclusive
 */
public record ModelRange(Instant from, Instant to) {

    /** Before the earliest bucket start there can be: that of the week of 1970-01-01. */
    public static final Instant BEGIN = Instant.parse("1969-12-29T00:00:00Z");

    static final ModelRange ALL = new ModelRange(BEGIN, ModelCalendar.END);

    ModelRange earlier(Duration by) {
        return new ModelRange(from.minus(by), to.minus(by));
    }

    public boolean holds(Instant start) {
        return !start.isBefore(from) && start.isBefore(to);
    }
}
