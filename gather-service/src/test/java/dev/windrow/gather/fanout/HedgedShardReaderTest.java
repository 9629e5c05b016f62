package dev.windrow.gather.fanout;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

import org.junit.jupiter.api.Test;

import dev.windrow.time.SharedTimer;
import io.smallrye.mutiny.Uni;
import io.smallrye.mutiny.helpers.test.UniAssertSubscriber;
import io.smallrye.mutiny.infrastructure.Infrastructure;

class HedgedShardReaderTest {

    private static final ShardPage SLOW = page(1);
    private static final ShardPage FAST = page(2);
    private static final SharedTimer TIMER = new SharedTimer(Infrastructure.getDefaultWorkerPool(), System::nanoTime);

    private final AtomicInteger hedges = new AtomicInteger();
    private final AtomicInteger cancelled = new AtomicInteger();
    private final List<Uni<ShardPage>> answers = new ArrayList<>();

    @Test
    void aSlowShardIsReadAgainAndTheFirstAnswerTaken() {
        HedgedShardReader reader = warm();
        answers.add(Uni.createFrom().<ShardPage> nothing().onCancellation().invoke(cancelled::incrementAndGet));
        answers.add(Uni.createFrom().item(FAST));

        ShardPage answer = read(reader).awaitItem().getItem();

        assertThat(answer).isSameAs(FAST);
        assertThat(hedges.get()).isEqualTo(1);
        assertThat(cancelled.get()).isEqualTo(1);
    }

    @Test
    void aHedgeThatIsSlowIsHedgedAsWell() {
        HedgedShardReader reader = warm();
        for (int i = 0; i < 2; i++) {
            answers.add(Uni.createFrom().<ShardPage> nothing().onCancellation().invoke(cancelled::incrementAndGet));
        }
        answers.add(Uni.createFrom().item(FAST));

        assertThat(read(reader).awaitItem().getItem()).isSameAs(FAST);
        assertThat(hedges.get()).isEqualTo(2);
        assertThat(cancelled.get()).isEqualTo(2);
    }

    @Test
    void aReadThatIsSlowWhileTheBudgetIsUsedUpIsHedgedOnceThereIsSomeAgain() {
        AtomicBoolean hangs = new AtomicBoolean();
        HedgeBudget budget = new HedgeBudget(0.05);
        HedgedShardReader reader = new HedgedShardReader(
                read -> hangs.getAndSet(false) ? Uni.createFrom().nothing() : Uni.createFrom().item(FAST), budget,
                new LatencyQuantile(0.95, Duration.ofMillis(5)), () -> 0, TIMER,
                hedges::incrementAndGet);
        readOften(reader);
        while (budget.take()) {
            assertThat(hedges.get()).isZero();
        }

        hangs.set(true);
        UniAssertSubscriber<ShardPage> slow = read(reader);
        slow.assertNotTerminated();
        readOften(reader);

        assertThat(slow.awaitItem().getItem()).isSameAs(FAST);
        assertThat(hedges.get()).isEqualTo(1);
    }

    private static void readOften(HedgedShardReader reader) {
        for (int i = 0; i < 100; i++) {
            read(reader).awaitItem();
        }
    }

    @Test
    void aFailedSecondRequestLeavesTheFirstItsTime() {
        HedgedShardReader reader = warm();
        answers.add(Uni.createFrom().item(SLOW).onItem().delayIt().by(Duration.ofMillis(100)));
        answers.add(Uni.createFrom().failure(new IllegalStateException("second")));

        assertThat(read(reader).awaitItem().getItem()).isSameAs(SLOW);
    }

    @Test
    void aFailedFirstReadFailsAtOnce() {
        HedgedShardReader reader = warm();
        answers.add(Uni.createFrom().failure(new IllegalStateException("first")));

        read(reader).awaitFailure().assertFailedWith(IllegalStateException.class, "first");
        assertThat(hedges.get()).isZero();
    }

    @Test
    void hedgesStayWithinTheBudget() {
        HedgeBudget budget = new HedgeBudget(0.05);
        int taken = 0;
        for (int read = 0; read < 10_000; read++) {
            budget.earn();
            taken += budget.take() ? 1 : 0;
        }

        assertThat(taken).isBetween(490, 500);
    }

    @Test
    void savedHedgesAreFew() {
        HedgeBudget budget = new HedgeBudget(0.05);
        for (int read = 0; read < 10_000; read++) {
            budget.earn();
        }
        int taken = 0;
        while (budget.take()) {
            taken++;
        }

        assertThat(taken).isEqualTo(20);
    }

    @Test
    void slowIsWhatAQuantileOfLateReadsWasNot() {
        LatencyQuantile latencies = new LatencyQuantile(0.95, Duration.ofNanos(10));
        for (int i = 1; i < 64; i++) {
            latencies.add(i);
        }
        assertThat(latencies.slow()).isEmpty();
        for (int i = 64; i <= 1_024; i++) {
            latencies.add(i);
        }

        assertThat(latencies.slow()).hasValueSatisfying(slow -> assertThat(slow.toNanos()).isBetween(1_090L, 1_105L));
    }

    /** A reader that knows latencies and has hedges saved up. */
    private HedgedShardReader warm() {
        HedgedShardReader reader = new HedgedShardReader(read -> answers.remove(0), new HedgeBudget(0.05),
                new LatencyQuantile(0.95, Duration.ofMillis(5)), () -> 0, TIMER,
                hedges::incrementAndGet);
        for (int i = 0; i < 200; i++) {
            answers.add(Uni.createFrom().item(FAST));
            read(reader).awaitItem();
        }
        // A machine that pauses may have made one of these late.
        hedges.set(0);
        return reader;
    }

    private static UniAssertSubscriber<ShardPage> read(HedgedShardReader reader) {
        GatherRequest request = new FakeShards(1, 1).request(1, true);
        return reader.read(new ShardReader.Read(request.scope().dataset(),
                request.plan().stages().get(0).shards().get(0), Optional.empty(), 1))
                .subscribe().withSubscriber(UniAssertSubscriber.create());
    }

    private static ShardPage page(int scanned) {
        return new ShardPage(List.of(), Optional.empty(), scanned, 0);
    }
}
