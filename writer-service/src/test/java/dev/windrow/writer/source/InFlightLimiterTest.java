package dev.windrow.writer.source;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

import io.smallrye.mutiny.helpers.test.UniAssertSubscriber;

class InFlightLimiterTest {

    private long elsewhere;
    private final InFlightLimiter room = new InFlightLimiter(25, 1_000, () -> elsewhere);

    @Test
    void letsReceivesBeginAsLongAsThereIsRoomForTheirMessages() {
        take().assertCompleted();
        take().assertCompleted();
        UniAssertSubscriber<Integer> third = take();
        third.assertNotTerminated();
        assertThat(room.isFull()).isTrue();

        // When a receive brought fewer messages than it had room for
        room.settle(10, 2, 100);

        third.assertCompleted();
        assertThat(room.isFull()).isFalse();
    }

    @Test
    void countsTheMessagesInMemoryAndNotTheRoomOfReceivesUnderWay() {
        take().assertCompleted();
        assertThat(room.messages()).isZero();
        room.settle(10, 3, 300);
        room.decoding(300);
        take().assertCompleted();
        assertThat(room.messages()).isEqualTo(3);
        room.release(100);
        assertThat(room.messages()).isEqualTo(2);
        assertThat(room.bytes()).isEqualTo(200);
    }

    @Test
    void letsNoReceiveBeginWhileTheMessagesAreTooLarge() {
        take().assertCompleted();
        room.settle(10, 1, 1_000);
        UniAssertSubscriber<Integer> waiting = take();
        waiting.assertNotTerminated();
        room.release(1_000);
        waiting.assertNotTerminated();
        room.decoding(1_000);
        waiting.assertCompleted();
        assertThat(room.bytes()).isZero();
    }

    @Test
    void leavesMostOfTheMemoryToWhatDecodingMakesOfMessages() {
        take().assertCompleted();
        room.settle(10, 1, 250);
        UniAssertSubscriber<Integer> waiting = take();
        waiting.assertNotTerminated();

        // When what was received is being decoded
        room.decoding(250);

        waiting.assertCompleted();
    }

    @Test
    void givesNoMoreMemoryThanThereIsAndCountsWhatIsHeldElsewhere() {
        assertThat(room.tryGrow(600)).isTrue();
        elsewhere = 300;
        assertThat(room.tryGrow(101)).isFalse();
        assertThat(room.tryGrow(100)).isTrue();
        room.grow(500);
        assertThat(room.bytes()).isEqualTo(1_500);
        UniAssertSubscriber<Integer> waiting = take();
        waiting.assertNotTerminated();
        room.shrink(300);
        waiting.assertNotTerminated();
        elsewhere = 0;
        room.look();
        waiting.assertCompleted();
    }

    @Test
    void letsNoReceiveBeginWhileItIsClosed() {
        room.close(true);
        UniAssertSubscriber<Integer> waiting = take();
        waiting.assertNotTerminated();
        assertThat(room.isFull()).isTrue();
        room.close(false);
        waiting.assertCompleted();
    }

    @Test
    void givesNoRoomToAReceiveThatWasCancelledWhileItWaited() {
        take();
        take();
        take().cancel();
        room.settle(10, 0, 0);
        assertThat(room.isFull()).isFalse();
        take().assertCompleted();
    }

    private UniAssertSubscriber<Integer> take() {
        return room.take(10).subscribe().withSubscriber(UniAssertSubscriber.create());
    }
}
