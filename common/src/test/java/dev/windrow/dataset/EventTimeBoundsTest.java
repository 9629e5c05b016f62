package dev.windrow.dataset;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;

import org.junit.jupiter.api.Test;

import dev.windrow.dataset.Dataset.EventTimeBounds;

class EventTimeBoundsTest {

    private static final Instant SENT = Instant.parse("2026-11-20T10:00:00Z");

    private final EventTimeBounds bounds = new EventTimeBounds(Duration.ofDays(30), Duration.ofMinutes(90));

    @Test
    void aProblemHasTheBoundAsTheDatasetsFileWritesIt() {
        assertThat(bounds.problem(SENT.minus(Duration.ofDays(31)), SENT)).hasValue(
                "a time at most 30d before the message was sent at 2026-11-20T10:00:00Z, found 2026-10-20T10:00:00Z");
        assertThat(bounds.problem(SENT.plus(Duration.ofHours(2)), SENT)).hasValue(
                "a time at most 90m after the message was sent at 2026-11-20T10:00:00Z, found 2026-11-20T12:00:00Z");
    }

    @Test
    void theBoundsThemselvesAreAccepted() {
        assertThat(bounds.problem(SENT.minus(Duration.ofDays(30)), SENT)).isEmpty();
        assertThat(bounds.problem(SENT.plus(Duration.ofMinutes(90)), SENT)).isEmpty();
    }
}
