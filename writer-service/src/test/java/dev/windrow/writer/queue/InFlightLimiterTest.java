package dev.windrow.writer.queue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;

import org.junit.jupiter.api.Test;

import dev.windrow.base.InvalidInputException;
import dev.windrow.base.Reason;
import dev.windrow.writer.decode.HeapSize;
import dev.windrow.writer.decode.MemoryBudgetExceededException;
import dev.windrow.writer.decode.Message;
import dev.windrow.writer.decode.MessageBody;
import dev.windrow.writer.decode.SourceQueue;
import dev.windrow.writer.testing.TestMessages;
import io.smallrye.mutiny.Uni;
import io.smallrye.mutiny.helpers.test.UniAssertSubscriber;

class InFlightLimiterTest {

    private static final long KIB = 1_024;
    private static final SourceQueue QUEUE = TestMessages.queue("q");

    private long elsewhere;
    private final InFlightLimiter limiter = new InFlightLimiter(25, 1_000 * KIB, () -> elsewhere);

    @Test
    void admitsReceivesWhileTheirMessagesFit() {
        Receive first = receive();
        assertThat(first.begun).isTrue();
        assertThat(receive().begun).isTrue();
        Receive third = receive();
        assertThat(third.begun).isFalse();
        assertThat(limiter.isFull()).isTrue();

        // When a receive returns fewer messages than it reserved
        first.bring(2, 50 * KIB);

        assertThat(third.begun).isTrue();
        assertThat(limiter.isFull()).isFalse();
    }

    @Test
    void countsTheMessagesInMemoryAndNotThoseReserved() {
        Receive first = receive();
        assertThat(limiter.messages()).isZero();
        first.bring(3, 100 * KIB);
        limiter.decoding(300 * KIB);
        assertThat(receive().begun).isTrue();
        assertThat(limiter.messages()).isEqualTo(3);
        limiter.release(100 * KIB);
        assertThat(limiter.messages()).isEqualTo(2);
        assertThat(limiter.bytes()).isEqualTo(200 * KIB);
    }

    @Test
    void letsNoReceiveBeginWhileTheMessagesAreTooLarge() {
        receive().bring(1, 1_000 * KIB);
        Receive waiting = receive();
        assertThat(waiting.begun).isFalse();
        limiter.release(1_000 * KIB);
        assertThat(waiting.begun).isFalse();
        limiter.decoding(1_000 * KIB);
        assertThat(waiting.begun).isTrue();
        assertThat(limiter.bytes()).isZero();
    }

    @Test
    void admitsAReceiveHoweverLittleMemoryThereIs() {
        InFlightLimiter smallest = new InFlightLimiter(10, 1, () -> 0);
        AtomicBoolean begun = new AtomicBoolean();

        smallest.receive(10, admitted -> {
            begun.set(true);
            return Uni.createFrom().item(List.of());
        }).subscribe().with(received -> {
        });

        assertThat(begun).isTrue();
    }

    @Test
    void leavesMostOfTheMemoryToWhatDecodingMakesOfMessages() {
        receive().bring(1, 250 * KIB);
        Receive waiting = receive();
        assertThat(waiting.begun).isFalse();

        // When the received message is being decoded
        limiter.decoding(250 * KIB);

        assertThat(waiting.begun).isTrue();
    }

    @Test
    void givesNoMoreMemoryThanThereIsAndCountsWhatIsHeldElsewhere() {
        MemoryReservation first = limiter.reserve(0, 600 * KIB, false);
        elsewhere = 300 * KIB;
        assertThat(limiter.reserve(0, 101 * KIB, false)).isNull();
        assertThat(limiter.reserve(0, 100 * KIB, false)).isNotNull();
        assertThat(limiter.bytes()).isEqualTo(1_000 * KIB);
        Receive waiting = receive();
        assertThat(waiting.begun).isFalse();
        elsewhere = 900 * KIB;
        first.close();
        assertThat(waiting.begun).isFalse();
        elsewhere = 0;
        limiter.close(false);
        assertThat(waiting.begun).isTrue();
    }

    @Test
    void aMessageThatIsAloneGetsAllButThePartOfThoseThatWait() {
        // Given more that waits than its part
        receive().bring(1, 400 * KIB);
        assertThat(limiter.reserve(50 * KIB, 700 * KIB, false)).isNull();

        MemoryReservation alone = limiter.reserve(50 * KIB, Long.MAX_VALUE, true);

        assertThat(limiter.bytes()).isEqualTo((400 + 700) * KIB);
        alone.take(700 * KIB);
        assertThatThrownBy(() -> alone.take(1)).isInstanceOf(InvalidInputException.class)
                .extracting(e -> ((InvalidInputException) e).reason()).isEqualTo(Reason.MESSAGE_TOO_LARGE);
        alone.close();
        assertThat(limiter.bytes()).isEqualTo(400 * KIB);
    }

    @Test
    void aReservationGrowsAsFarAsThereIsMemoryAndKeepsWhatTheResultTakes() {
        MemoryReservation one = limiter.reserve(0, 0, false);
        MemoryReservation other = limiter.reserve(0, 700 * KIB, false);
        one.take(100 * KIB);
        one.giveBack(50 * KIB);
        one.take(200 * KIB);
        assertThat(limiter.bytes()).isEqualTo((256 + 700) * KIB);
        assertThatThrownBy(() -> one.take(100 * KIB)).isInstanceOf(MemoryBudgetExceededException.class);

        one.keep(30 * KIB);
        one.close();
        other.close();

        assertThat(limiter.bytes()).isEqualTo(30 * KIB);
    }

    @Test
    void letsNoReceiveBeginWhileItIsClosed() {
        limiter.close(true);
        Receive waiting = receive();
        assertThat(waiting.begun).isFalse();
        assertThat(limiter.isFull()).isTrue();
        limiter.close(false);
        assertThat(waiting.begun).isTrue();
    }

    @Test
    void reservesNothingForAReceiveThatWasCancelledWhileItWaited() {
        Receive first = receive();
        receive();
        receive().subscriber.cancel();
        first.bring(0, 0);
        assertThat(limiter.isFull()).isFalse();
        assertThat(receive().begun).isTrue();
    }

    @Test
    void aReceiveThatFailedOrWasCancelledReleasesItsReservation() {
        Receive failing = receive();
        Receive cancelled = receive();
        Receive third = receive();
        Receive fourth = receive();
        failing.answer.completeExceptionally(new IllegalStateException("connection reset"));
        failing.subscriber.assertFailedWith(IllegalStateException.class);
        assertThat(third.begun).isTrue();
        assertThat(fourth.begun).isFalse();
        cancelled.subscriber.cancel();
        assertThat(fourth.begun).isTrue();
    }

    private Receive receive() {
        Receive receive = new Receive();
        limiter.receive(10, most -> {
            receive.begun = true;
            return Uni.createFrom().completionStage(receive.answer);
        }).subscribe().withSubscriber(receive.subscriber);
        return receive;
    }

    private static final class Receive {

        private final CompletableFuture<List<Message>> answer = new CompletableFuture<>();
        private final UniAssertSubscriber<List<Message>> subscriber = UniAssertSubscriber.create();
        private boolean begun;

        void bring(int messages, long bytesEach) {
            answer.complete(messages == 0 ? List.of() : Collections.nCopies(messages, message(bytesEach)));
            subscriber.assertCompleted();
        }
    }

    private static Message message(long heapBytes) {
        return new Message(QUEUE, "m", "", MessageBody.of("x".repeat((int) (heapBytes - HeapSize.of(empty())))), Map.of(),
                Instant.EPOCH, Instant.EPOCH, 1, null);
    }

    private static Message empty() {
        return new Message(QUEUE, "m", "", MessageBody.of(""), Map.of(), Instant.EPOCH, Instant.EPOCH, 1, null);
    }
}
