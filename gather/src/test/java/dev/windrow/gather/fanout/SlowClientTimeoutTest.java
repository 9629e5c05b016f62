package dev.windrow.gather.fanout;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;

import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

import dev.windrow.base.Reason;
import dev.windrow.gather.read.GatherException;
import dev.windrow.gather.testing.ManualTimer;
import io.smallrye.mutiny.Multi;
import io.smallrye.mutiny.helpers.test.AssertSubscriber;

class SlowClientTimeoutTest {

    @AutoClose("shutdownNow")
    private final ManualTimer timer = new ManualTimer();
    private final AtomicInteger cancelled = new AtomicInteger();

    @Test
    void aClientThatRequestsNothingIsEnded() {
        AssertSubscriber<Integer> reader = read(Multi.createFrom().range(0, 10), 3);
        reader.assertItems(0, 1, 2).assertNotTerminated();

        timer.runAll();

        assertThat(GatherException.reasonOf(reader.assertTerminated().getFailure())).isEqualTo(Reason.TIMED_OUT);
        assertThat(cancelled.get()).isEqualTo(1);
    }

    @Test
    void aClientThatNeverRequestsIsEnded() {
        AssertSubscriber<Integer> reader = read(Multi.createFrom().range(0, 10), 0);

        timer.runAll();

        reader.assertFailedWith(GatherException.class, "the client read nothing for 30s");
    }

    @Test
    void aClientThatRequestsAgainContinues() {
        AssertSubscriber<Integer> reader = read(Multi.createFrom().range(0, 10), 0);
        for (int i = 0; i < 10; i++) {
            reader.request(1);
            assertThat(timer.pending()).isLessThanOrEqualTo(1);
        }

        timer.runAll();

        reader.assertCompleted();
        assertThat(reader.getItems()).hasSize(10);
    }

    @Test
    void aSlowSourceIsNoSlowReader() {
        AssertSubscriber<Integer> reader = read(Multi.createFrom().nothing(), 1);

        timer.runAll();

        reader.assertNotTerminated();
        reader.cancel();
        assertThat(cancelled.get()).isEqualTo(1);
    }

    @Test
    void nothingIsLeftOfAReaderWhoGoesAway() {
        AssertSubscriber<Integer> reader = read(Multi.createFrom().range(0, 10), 3);

        reader.cancel();

        assertThat(timer.pending()).isZero();
        assertThat(cancelled.get()).isEqualTo(1);
    }

    private AssertSubscriber<Integer> read(Multi<Integer> source, long demand) {
        return source.onCancellation().invoke(cancelled::incrementAndGet)
                .plug(upstream -> new SlowClientTimeout<>(upstream, Duration.ofSeconds(30), timer))
                .subscribe().withSubscriber(AssertSubscriber.create(demand));
    }
}
