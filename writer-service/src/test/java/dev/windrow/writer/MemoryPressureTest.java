package dev.windrow.writer;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.Map;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;

import dev.windrow.writer.WriterFlow.MemoryPressure;
import dev.windrow.writer.WriterFlow.QueueLag;
import dev.windrow.writer.decode.Message;
import dev.windrow.writer.decode.Message.MessageBody;
import dev.windrow.writer.decode.Message.SourceQueue;
import dev.windrow.writer.journal.JournalSettings.MemoryShortage;
import dev.windrow.writer.queue.InFlightLimiter;
import dev.windrow.writer.testing.TestMessages;

class MemoryPressureTest {

    private static final Instant NOW = Instant.parse("2026-11-23T10:00:00Z");
    private static final SourceQueue QUEUE = TestMessages.queue("q");

    private final InFlightLimiter limiter = new InFlightLimiter(100, 1_000, () -> 0);
    private final QueueLag lag = new QueueLag(Clock.fixed(NOW, ZoneOffset.UTC));
    private final MemoryPressure pressure = new MemoryPressure(limiter, 500, lag, Duration.ofSeconds(4));

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
        MemoryShortage urgency = pressure.urgency(true);

        // Then
        assertThat(urgency).isEqualTo(new MemoryShortage(false, true, false));
    }

    @Test
    void isABacklogWhileMemoryIsShortOfOldMessages() {
        // Given
        receive(10, 5);

        // When
        boolean full = pressure.urgency(true).backlog();
        boolean enough = pressure.urgency(false).backlog();

        // Then
        assertThat(full).isTrue();
        assertThat(enough).isFalse();
    }

    /** As in a live stream that nearly fills the memory, with a redelivered message now and then. */
    @Test
    void isNoBacklogWhileSomeMessagesAreNew() {
        // Given
        boolean first = pressure.urgency(true).backlog();
        receive(10, 1);

        // When
        boolean received = pressure.urgency(true).backlog();
        receive();
        boolean none = pressure.urgency(true).backlog();

        // Then
        assertThat(first).isFalse();
        assertThat(received).isFalse();
        assertThat(none).isFalse();
    }

    private void receive(Integer... agesInSeconds) {
        lag.received(Stream.of(agesInSeconds).map(age -> new Message(QUEUE, "id", "receipt", MessageBody.of("{}"), Map.of(),
                NOW.minusSeconds(age), NOW, 1, null)).toList());
    }
}
