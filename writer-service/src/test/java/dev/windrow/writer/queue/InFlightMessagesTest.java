package dev.windrow.writer.queue;

import static dev.windrow.writer.testing.TestMessages.queue;
import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import dev.windrow.local.TestClients;
import dev.windrow.local.fault.Fault;
import dev.windrow.local.fault.FaultPlan;
import dev.windrow.local.fault.FaultProxy;
import dev.windrow.testing.Patience;
import dev.windrow.writer.decode.HeapSize;
import dev.windrow.writer.decode.Message;
import dev.windrow.writer.decode.SourceQueue;
import dev.windrow.writer.testing.QueueParts;
import dev.windrow.writer.testing.TestMessages;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.smallrye.mutiny.Uni;
import software.amazon.awssdk.services.sqs.SqsAsyncClient;

class InFlightMessagesTest {

    private static final SourceQueue QUEUE = queue("q");

    private static final Duration VISIBILITY = QUEUE.visibility();

    private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
    private final InFlightLimiter limiter = new InFlightLimiter(100, 1 << 20, () -> 0);
    private final InFlightMessages messages = new InFlightMessages(limiter, new VisibilityDeadlines(() -> 0),
            new FifoGroupTracker(), new QueueMetrics(registry, limiter));
    private final List<PendingMessage> ended = new ArrayList<>();
    private final FifoGroupTracker order = new FifoGroupTracker();
    private final AtomicLong nanos = new AtomicLong(Long.MAX_VALUE - 1);
    private final VisibilityDeadlines deadlines = new VisibilityDeadlines(nanos::get);
    private final PendingMessage firstOfGroup = message("g");
    private final PendingMessage secondOfGroup = message("g");
    private final PendingMessage thirdOfGroup = message("g");
    private final PendingMessage otherGroup = message("h");

    @Test
    void aMessageGivesBackAllThatItHoldsOnceWhenItHasEnded() {
        // Given
        messages.onEnded(ended::add);
        PendingMessage pending = receive(delivery(QUEUE, "a", "first", 1));
        assertThat(pending).isNotNull();
        assertThat(messages.hold(pending, 600, 400, limiter.reserve(0, 1_000, true))).isTrue();
        assertThat(limiter.bytes()).isEqualTo(HeapSize.of(pending.message()) + 1_000);
        assertThat(limiter.messages()).isEqualTo(1);

        // When
        messages.end(pending);
        messages.end(pending);

        // Then
        assertThat(limiter.bytes()).isZero();
        assertThat(limiter.messages()).isZero();
        assertThat(messages.isEmpty()).isTrue();
        assertThat(ended).containsExactly(pending);
        assertThat(messages.hold(pending, 600, 400, limiter.reserve(0, 1_000, true)))
                .as("an ended message holds nothing any more").isFalse();
        assertThat(limiter.bytes()).isZero();
    }

    @Test
    void aClaimedMessageGivesBackWhatItAddsAndTheRestAtItsEnd() {
        // Given
        PendingMessage pending = receive(delivery(QUEUE, "a", "first", 1));
        assertThat(pending).isNotNull();
        assertThat(messages.hold(pending, 600, 400, limiter.reserve(0, 1_000, true))).isTrue();
        assertThat(limiter.unclaimedBytes()).isEqualTo(HeapSize.of(pending.message()) + 400);

        // When
        messages.claimed(pending);
        messages.claimed(pending);

        // Then
        assertThat(limiter.bytes()).isEqualTo(HeapSize.of(pending.message()) + 600);
        assertThat(limiter.unclaimedBytes()).isZero();

        // When
        messages.end(pending);

        // Then
        assertThat(limiter.bytes()).isZero();
        assertThat(limiter.unclaimedBytes()).isZero();
    }

    @Test
    void aMessageThatIsDeliveredAgainWhileItWaitsIsHeldOnce() {
        // Given
        PendingMessage pending = receive(delivery(QUEUE, "a", "first", 1));
        assertThat(pending).isNotNull();
        long held = limiter.bytes();

        // When
        PendingMessage again = receive(delivery(QUEUE, "a", "again", 2));

        // Then
        assertThat(again).isNull();
        assertThat(pending.message().receipt()).isEqualTo("again");
        assertThat(messages.all()).containsExactly(pending);
        assertThat(limiter.messages()).isEqualTo(1);
        assertThat(limiter.bytes()).isEqualTo(held);
        assertThat(registry.counter("windrow.writer.messages.redelivered").count()).isEqualTo(1);
    }

    @Test
    void aSecondCopyOfOneDeliveryAndTheSameIdInAnotherQueueAreMessagesOfTheirOwn() {
        PendingMessage first = receive(delivery(QUEUE, "a", "first", 1));
        PendingMessage copy = receive(delivery(QUEUE, "a", "copy", 1));
        PendingMessage other = receive(delivery(queue("other"), "a", "other", 2));
        assertThat(messages.all()).containsExactlyInAnyOrder(first, copy, other);
    }

    @Test
    void letsMessagesOfAGroupBeDeletedInTheOrderTheyCame() {
        assertThat(order.applied(secondOfGroup)).isEmpty();
        assertThat(order.applied(otherGroup)).containsExactly(otherGroup);
        assertThat(order.applied(firstOfGroup)).containsExactly(firstOfGroup, secondOfGroup);
        assertThat(order.applied(thirdOfGroup)).containsExactly(thirdOfGroup);
    }

    @Test
    void sendsBackAllLaterMessagesOfTheGroupToo() {
        assertThat(order.applied(thirdOfGroup)).isEmpty();
        assertThat(order.failed(secondOfGroup)).containsExactly(secondOfGroup, thirdOfGroup);
        assertThat(order.applied(firstOfGroup)).containsExactly(firstOfGroup);
    }

    /** It was returned with an earlier one; what came since is of another delivery. */
    @Test
    void sendsNothingBackForAMessageThatHasLeftItsGroup() {
        // Given
        assertThat(order.failed(firstOfGroup)).contains(thirdOfGroup);
        order.add(secondOfGroup);

        // When, Then
        assertThat(order.failed(thirdOfGroup)).isEmpty();
        assertThat(order.applied(secondOfGroup)).containsExactly(secondOfGroup);
    }

    @Test
    void doesNotKeepMessagesOfOtherQueuesWaiting() {
        PendingMessage plain = message(null);
        order.add(plain);
        assertThat(order.applied(plain)).containsExactly(plain);
        assertThat(order.failed(plain)).containsExactly(plain);
    }

    @Test
    void aQueueThatDoesNotAnswerDoesNotHoldUpTheDrain() {
        // Given a message that is never written, and a queue that does not answer during the test
        AcknowledgeSettings usual = AcknowledgeSettings.DEFAULTS;
        AcknowledgeSettings patient = new AcknowledgeSettings(usual.linger(), usual.maxConcurrency(), usual.maxAttempts(),
                usual.initialBackoff(), Duration.ofHours(1));
        CompletableFuture<Void> release = new CompletableFuture<>();
        try (FaultProxy proxy = FaultProxy.start(URI.create("http://127.0.0.1:9"), FaultPlan.always(new Fault.Hang(release)));
                SqsAsyncClient sqs = TestClients.sqs(proxy.endpoint());
                QueueParts parts = new QueueParts(sqs, patient, () -> 0)) {
            Message message = TestMessages.message("{}", Map.of(), Instant.EPOCH);
            parts.limiter.receive(1, admitted -> Uni.createFrom().item(List.of(message))).await().indefinitely();
            parts.messages.receive(message);
            InFlightDrain drain = new InFlightDrain(parts.messages, parts.heartbeat, parts.acknowledger,
                    Duration.ofMillis(200));

            // When
            int returned = drain.drain(() -> false, Duration.ofMillis(100)).await().atMost(Patience.LIMIT);

            // Then
            assertThat(returned).isZero();
            assertThat(parts.messages.isEmpty()).isTrue();
            release.complete(null);
        }
    }

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
        boolean renewed = deadlines.renew(message, delivery(QUEUE, "a", "second", 2));

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
        assertThat(deadlines.renew(message, delivery(QUEUE, "a", "copy", 1))).isFalse();
        deadlines.ending(message);
        assertThat(deadlines.renew(message, delivery(QUEUE, "a", "late", 2))).isFalse();
        deadlines.remove(message);
        assertThat(deadlines.renew(message, delivery(QUEUE, "a", "later", 3))).isFalse();
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
        PendingMessage message = new PendingMessage(delivery(QUEUE, id, "first", 1));
        deadlines.add(message);
        return message;
    }

    private void pass(Duration time) {
        nanos.addAndGet(time.toNanos());
    }

    private @Nullable PendingMessage receive(Message delivery) {
        limiter.receive(1, most -> Uni.createFrom().item(List.of(delivery))).await().indefinitely();
        return messages.receive(delivery);
    }

    private static Message delivery(SourceQueue queue, String id, String receipt, int count) {
        return TestMessages.delivery(queue, id, receipt, count, null);
    }

    private PendingMessage message(@Nullable String group) {
        PendingMessage pending = new PendingMessage(
                TestMessages.delivery(TestMessages.queue("q.fifo"), "id", "receipt", 1, group));
        order.add(pending);
        return pending;
    }
}
