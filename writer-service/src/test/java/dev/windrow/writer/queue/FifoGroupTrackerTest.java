package dev.windrow.writer.queue;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.Map;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import dev.windrow.writer.decode.Message;
import dev.windrow.writer.decode.Message.MessageBody;
import dev.windrow.writer.decode.Message.SourceQueue;
import dev.windrow.writer.queue.InFlightMessages.FifoGroupTracker;
import dev.windrow.writer.queue.InFlightMessages.PendingMessage;

class FifoGroupTrackerTest {

    private final FifoGroupTracker order = new FifoGroupTracker();
    private final PendingMessage first = message("g");
    private final PendingMessage second = message("g");
    private final PendingMessage third = message("g");
    private final PendingMessage other = message("h");

    @Test
    void letsMessagesOfAGroupBeDeletedInTheOrderTheyCame() {
        assertThat(order.applied(second)).isEmpty();
        assertThat(order.applied(other)).containsExactly(other);
        assertThat(order.applied(first)).containsExactly(first, second);
        assertThat(order.applied(third)).containsExactly(third);
    }

    @Test
    void sendsBackAllLaterMessagesOfTheGroupToo() {
        assertThat(order.applied(third)).isEmpty();
        assertThat(order.failed(second)).containsExactly(second, third);
        assertThat(order.applied(first)).containsExactly(first);
    }

    @Test
    void doesNotKeepMessagesOfOtherQueuesWaiting() {
        PendingMessage plain = message(null);
        order.add(plain);
        assertThat(order.applied(plain)).containsExactly(plain);
        assertThat(order.failed(plain)).containsExactly(plain);
    }

    private PendingMessage message(@Nullable String group) {
        SourceQueue queue = new SourceQueue("q.fifo", "http://127.0.0.1/q.fifo", true, Duration.ofSeconds(30),
                Duration.ofDays(4), null);
        PendingMessage pending = new PendingMessage(
                new Message(queue, "id", "receipt", MessageBody.of(""), Map.of(), Instant.EPOCH, Instant.EPOCH, 1, group));
        order.add(pending);
        return pending;
    }
}
