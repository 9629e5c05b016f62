package dev.windrow.writer.queue;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;

import org.junit.jupiter.api.Test;

import dev.windrow.writer.decode.Message;
import dev.windrow.writer.decode.Message.MessageBody;
import dev.windrow.writer.decode.Message.SourceQueue;
import dev.windrow.writer.queue.InFlightMessages.PendingMessage;
import dev.windrow.writer.queue.Visibility.VisibilityDeadlines;

class VisibilityDeadlinesTest {

    private static final Duration VISIBILITY = Duration.ofSeconds(30);
    private static final SourceQueue QUEUE = new SourceQueue("q", "http://127.0.0.1/q", false, VISIBILITY, Duration.ofDays(4),
            null, SourceQueue.UNLIMITED);

    private final AtomicLong nanos = new AtomicLong(Long.MAX_VALUE - 1);
    private final VisibilityDeadlines deadlines = new VisibilityDeadlines(nanos::get);

    @Test
    void aMessageIsDueOnceHalfOfItsVisibilityTimeoutIsOver() {
        PendingMessage message = add("a");
        pass(Duration.ofSeconds(14));
        assertThat(deadlines.takeDue()).isEmpty();
        pass(Duration.ofSeconds(1));
        assertThat(deadlines.takeDue()).containsExactly(message);
    }

    @Test
    void theMostOverdueComesFirst() {
        PendingMessage first = add("a");
        pass(Duration.ofSeconds(2));
        PendingMessage second = add("b");
        pass(Duration.ofSeconds(2));
        PendingMessage third = add("c");
        pass(VISIBILITY);
        assertThat(deadlines.takeDue()).containsExactly(first, second, third);
    }

    @Test
    void noneIsDueAgainBeforeItsExtensionHasEnded() {
        PendingMessage message = add("a");
        pass(VISIBILITY);
        assertThat(deadlines.takeDue()).hasSize(1);
        pass(VISIBILITY);
        assertThat(deadlines.takeDue()).isEmpty();
        deadlines.extended(message);
        assertThat(deadlines.takeDue()).isEmpty();
        pass(VISIBILITY);
        assertThat(deadlines.takeDue()).containsExactly(message);
    }

    @Test
    void messagesBeingDeletedOrReturnedNeedNoExtension() {
        // Given
        PendingMessage ending = add("a");
        PendingMessage waiting = add("b");
        PendingMessage gone = add("c");
        deadlines.ending(ending);
        pass(VISIBILITY);
        assertThat(deadlines.takeDue()).containsExactlyInAnyOrder(waiting, gone);

        // When
        deadlines.remove(gone);

        // Then
        assertThat(deadlines.needsExtension(ending)).isFalse();
        assertThat(deadlines.needsExtension(waiting)).isTrue();
        assertThat(deadlines.needsExtension(gone)).isFalse();
        deadlines.ending(waiting);
        assertThat(deadlines.needsExtension(waiting)).isFalse();
        deadlines.extended(waiting);
        deadlines.extended(gone);
        pass(VISIBILITY);
        assertThat(deadlines.takeDue()).isEmpty();
        assertThat(deadlines.all()).containsExactlyInAnyOrder(ending, waiting);
    }

    @Test
    void whatIsDeliveredAgainWhileItWaitsGoesOnUnderItsNewReceipt() {
        // Given
        PendingMessage message = add("a");
        pass(VISIBILITY);
        deadlines.takeDue();

        // When
        boolean renewed = deadlines.renew(message, delivery("a", "second", 2));

        // Then
        assertThat(renewed).isTrue();
        assertThat(message.message().receipt()).isEqualTo("second");
        assertThat(deadlines.size()).isEqualTo(1);
        deadlines.extended(message);
        pass(VISIBILITY.dividedBy(2));
        assertThat(deadlines.takeDue()).containsExactly(message);
    }

    @Test
    void aSecondCopyOfOneDeliveryAndWhatIsBeingDeletedAreNotRenewed() {
        PendingMessage message = add("a");
        assertThat(deadlines.renew(message, delivery("a", "copy", 1))).isFalse();
        deadlines.ending(message);
        assertThat(deadlines.renew(message, delivery("a", "late", 2))).isFalse();
        deadlines.remove(message);
        assertThat(deadlines.renew(message, delivery("a", "later", 3))).isFalse();
        assertThat(message.message().receipt()).isEqualTo("first");
    }

    @Test
    void isLateOnceAMessageIsNotHiddenAnewInTime() {
        // Given
        PendingMessage message = add("a");
        pass(VISIBILITY.dividedBy(2));
        deadlines.takeDue();
        assertThat(deadlines.isLate()).isFalse();

        // When
        pass(VISIBILITY.dividedBy(3));
        deadlines.takeDue();

        // Then
        assertThat(deadlines.isLate()).isTrue();
        deadlines.extended(message);
        deadlines.takeDue();
        assertThat(deadlines.isLate()).isFalse();
    }

    private PendingMessage add(String id) {
        PendingMessage message = new PendingMessage(delivery(id, "first", 1));
        deadlines.add(message);
        return message;
    }

    private static Message delivery(String id, String receipt, int count) {
        return new Message(QUEUE, id, receipt, MessageBody.of(""), Map.of(), Instant.EPOCH, Instant.EPOCH, count, null);
    }

    private void pass(Duration time) {
        nanos.addAndGet(time.toNanos());
    }
}
