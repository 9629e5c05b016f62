package dev.windrow.writer.acknowledge;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;

import org.junit.jupiter.api.Test;

import dev.windrow.writer.aggregate.PendingMessage;
import dev.windrow.writer.message.Message;
import dev.windrow.writer.message.MessageBody;
import dev.windrow.writer.message.SourceQueue;

class InFlightMessagesTest {

    private static final Duration VISIBILITY = Duration.ofSeconds(30);
    private static final SourceQueue QUEUE = new SourceQueue("q", "http://127.0.0.1/q", false, VISIBILITY, Duration.ofDays(4),
            null);

    private final AtomicLong nanos = new AtomicLong(Long.MAX_VALUE - 1);
    private final InFlightMessages held = new InFlightMessages(nanos::get);

    @Test
    void aMessageIsDueOnceHalfOfItsVisibilityTimeoutIsOver() {
        PendingMessage message = add("a");
        pass(Duration.ofSeconds(14));
        assertThat(held.takeDue()).isEmpty();
        pass(Duration.ofSeconds(1));
        assertThat(held.takeDue()).containsExactly(message);
    }

    @Test
    void theLongestOverdueComesFirst() {
        PendingMessage first = add("a");
        pass(Duration.ofSeconds(2));
        PendingMessage second = add("b");
        pass(Duration.ofSeconds(2));
        PendingMessage third = add("c");
        pass(VISIBILITY);
        assertThat(held.takeDue()).containsExactly(first, second, third);
    }

    @Test
    void noneIsDueAgainBeforeItsExtensionHasEnded() {
        PendingMessage message = add("a");
        pass(VISIBILITY);
        assertThat(held.takeDue()).hasSize(1);
        pass(VISIBILITY);
        assertThat(held.takeDue()).isEmpty();
        held.extended(message);
        assertThat(held.takeDue()).isEmpty();
        pass(VISIBILITY);
        assertThat(held.takeDue()).containsExactly(message);
    }

    @Test
    void whatIsBeingDeletedOrHandedBackNeedsNoExtension() {
        // Given
        PendingMessage ending = add("a");
        PendingMessage waiting = add("b");
        PendingMessage gone = add("c");
        held.ending(ending);
        pass(VISIBILITY);
        assertThat(held.takeDue()).containsExactlyInAnyOrder(waiting, gone);

        // When
        held.remove(gone);

        // Then
        assertThat(held.needsExtension(ending)).isFalse();
        assertThat(held.needsExtension(waiting)).isTrue();
        assertThat(held.needsExtension(gone)).isFalse();
        held.ending(waiting);
        assertThat(held.needsExtension(waiting)).isFalse();
        held.extended(waiting);
        held.extended(gone);
        pass(VISIBILITY);
        assertThat(held.takeDue()).isEmpty();
        assertThat(held.all()).containsExactlyInAnyOrder(ending, waiting);
    }

    @Test
    void whatIsDeliveredAgainWhileItWaitsGoesOnUnderItsNewReceipt() {
        // Given
        PendingMessage message = add("a");
        pass(VISIBILITY);
        held.takeDue();

        // When
        boolean renewed = held.renew(delivery("a", "second", 2));

        // Then
        assertThat(renewed).isTrue();
        assertThat(message.message().receipt()).isEqualTo("second");
        assertThat(held.size()).isEqualTo(1);
        held.extended(message);
        pass(VISIBILITY.dividedBy(2));
        assertThat(held.takeDue()).containsExactly(message);
    }

    @Test
    void aSecondCopyOfOneDeliveryAndWhatIsBeingDeletedAreNotRenewed() {
        PendingMessage message = add("a");
        assertThat(held.renew(delivery("a", "copy", 1))).isFalse();
        assertThat(held.renew(delivery("b", "other", 2))).isFalse();
        held.ending(message);
        assertThat(held.renew(delivery("a", "late", 2))).isFalse();
        held.remove(message);
        assertThat(held.renew(delivery("a", "later", 3))).isFalse();
        assertThat(message.message().receipt()).isEqualTo("first");
    }

    @Test
    void isLateOnceAMessageIsNotHiddenAnewInTime() {
        // Given
        PendingMessage message = add("a");
        pass(VISIBILITY.dividedBy(2));
        held.takeDue();
        assertThat(held.isLate()).isFalse();

        // When
        pass(VISIBILITY.dividedBy(3));
        held.takeDue();

        // Then
        assertThat(held.isLate()).isTrue();
        held.extended(message);
        held.takeDue();
        assertThat(held.isLate()).isFalse();
    }

    private PendingMessage add(String id) {
        PendingMessage message = new PendingMessage(delivery(id, "first", 1));
        held.add(message);
        return message;
    }

    private static Message delivery(String id, String receipt, int count) {
        return new Message(QUEUE, id, receipt, MessageBody.of(""), Map.of(), Instant.EPOCH, Instant.EPOCH, count, null);
    }

    private void pass(Duration time) {
        nanos.addAndGet(time.toNanos());
    }
}
