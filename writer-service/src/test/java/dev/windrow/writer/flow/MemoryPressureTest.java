package dev.windrow.writer.flow;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

import dev.windrow.writer.inflight.InFlightLimiter;
import dev.windrow.writer.journal.Urgency;

class MemoryPressureTest {

    private final InFlightLimiter limiter = new InFlightLimiter(100, 1_000, () -> 0);
    private final MemoryPressure pressure = new MemoryPressure(limiter, 500);

    @Test
    void isHighWhenMuchIsNotClaimed() {
        // Given
        limiter.growUnclaimed(499);
        assertThat(pressure.urgency(false).claims()).isFalse();

        // When
        limiter.growUnclaimed(1);

        // Then
        assertThat(pressure.urgency(false).claims()).isTrue();
    }

    @Test
    void isHighWhenAMessageWaitsForMemoryThatAClaimFrees() {
        // Given
        limiter.grow(300);
        limiter.growUnclaimed(100);

        // When
        boolean idle = pressure.urgency(false).claims();
        boolean waiting = pressure.urgency(true).claims();

        // Then
        assertThat(idle).isFalse();
        assertThat(waiting).isTrue();
    }

    @Test
    void isNotHighWhenAClaimWouldFreeLittle() {
        // Given
        limiter.grow(900);
        limiter.growUnclaimed(100);

        // When
        Urgency urgency = pressure.urgency(true);

        // Then
        assertThat(urgency).isEqualTo(new Urgency(false, true));
    }
}
