package dev.windrow.writer;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.Map;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import dev.windrow.writer.decode.Message;
import dev.windrow.writer.decode.MessageBody;
import dev.windrow.writer.decode.SourceQueue;
import dev.windrow.writer.journal.MemoryShortage;
import dev.windrow.writer.queue.InFlightLimiter;
import dev.windrow.writer.testing.TestMessages;

class MemoryPressureTest {

    private static final Instant NOW = Instant.parse("2026-11-23T10:00:00Z");
    private static final SourceQueue QUEUE = TestMessages.queue("q");

    private final InFlightLimiter limiter = new InFlightLimiter(100, 1_000, () -> 0);
    private final QueueLag lag = new QueueLag(Clock.fixed(NOW, ZoneOffset.UTC));
    private final MemoryPressure pressure = new MemoryPressure(limiter, 500, lag, Duration.ofSeconds(4));

    /** Claims are urgent when much is not claimed, or a message waits for memory that a claim and deletes free. */
    @ParameterizedTest
    @CsvSource({ "0, 0, 499, false, false, false", "0, 0, 500, false, true, false", "100, 0, 100, false, false, false",
            "100, 0, 100, true, true, true", "101, 0, 100, true, false, true", "150, 50, 100, true, true, true",
            "900, 0, 100, true, false, true" })
    void isHighWhereClaimsOrDeletionsFreeMuch(long others, long received, long additions, boolean waiting, boolean claims,
            boolean deletions) {
        limiter.shrink(-others - received - additions);
        limiter.holdUnclaimed(additions, received);

        assertThat(pressure.urgency(waiting, false)).isEqualTo(new MemoryShortage(claims, deletions, false));
    }

    /** It waits for all others, and those may wait for more to claim with them. */
    @Test
    void isHighWhereASuspectWaitsHoweverLittleThatFrees() {
        limiter.shrink(-900);

        assertThat(pressure.urgency(true, true)).isEqualTo(new MemoryShortage(true, true, false));
    }

    @Test
    void isABacklogWhileMemoryIsShortOfOldMessages() {
        receive(10, 5);

        assertThat(pressure.urgency(true, false).backlog()).isTrue();
        assertThat(pressure.urgency(false, false).backlog()).isFalse();
    }

    /** As in a live stream that nearly fills the memory, with a redelivered message now and then. */
    @Test
    void isNoBacklogWhileSomeMessagesAreNew() {
        assertThat(pressure.urgency(true, false).backlog()).isFalse();

        receive(10, 1);
        assertThat(pressure.urgency(true, false).backlog()).isFalse();

        receive();
        assertThat(pressure.urgency(true, false).backlog()).isFalse();
    }

    private void receive(Integer... agesInSeconds) {
        lag.received(Stream.of(agesInSeconds).map(age -> new Message(QUEUE, "id", "receipt", MessageBody.of("{}"), Map.of(),
                NOW.minusSeconds(age), NOW, 1, null)).toList());
    }
}
