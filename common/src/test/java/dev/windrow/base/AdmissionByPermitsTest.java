package dev.windrow.base;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;

import org.junit.jupiter.api.Test;

import dev.windrow.testing.Patience;
import io.smallrye.mutiny.Multi;
import io.smallrye.mutiny.Uni;
import io.smallrye.mutiny.helpers.test.AssertSubscriber;
import io.smallrye.mutiny.helpers.test.UniAssertSubscriber;

class AdmissionByPermitsTest {

    private static final Duration PATIENCE = Patience.LIMIT;

    private final AdmissionQueue permits = AdmissionQueue.ofPermits(2, 1, "works", RefusedException::new);

    @Test
    void moreThanMayWaitAreRefused() {
        List<CompletableFuture<String>> works = List.of(new CompletableFuture<>(), new CompletableFuture<>(),
                new CompletableFuture<>());
        List<UniAssertSubscriber<String>> told = works.stream().map(work -> run(work)).toList();

        UniAssertSubscriber<String> refused = run(CompletableFuture.completedFuture("d"));

        assertThat(permits.running()).isEqualTo(2);
        assertThat(permits.waiting()).isEqualTo(1);
        assertThat(refused.assertFailed().getFailure()).isInstanceOfSatisfying(RefusedException.class,
                failure -> assertThat(failure.reason).isEqualTo(Reason.OVERLOADED));
        works.get(0).complete("a");
        told.get(0).assertCompleted().assertItem("a");
        assertThat(permits.waiting()).isZero();
        works.get(2).complete("c");
        works.get(1).completeExceptionally(new IllegalStateException("b"));
        told.get(1).assertFailedWith(IllegalStateException.class);
        told.get(2).assertCompleted().assertItem("c");
        assertThat(permits.running()).isZero();
    }

    @Test
    void cancelledWorkGivesItsPermitOrPlaceBack() {
        CompletableFuture<String> never = new CompletableFuture<>();
        UniAssertSubscriber<String> first = run(never);
        UniAssertSubscriber<String> second = run(new CompletableFuture<>());
        UniAssertSubscriber<String> waiting = run(new CompletableFuture<>());

        waiting.cancel();
        first.cancel();

        assertThat(never).isCancelled();
        assertThat(permits.waiting()).isZero();
        assertThat(permits.running()).isEqualTo(1);
        second.cancel();
        assertThat(permits.running()).isZero();
    }

    @Test
    void whereTheNextOneTakesLongToStartAnOutcomeIsDeliveredBefore() {
        // Given
        AdmissionQueue one = AdmissionQueue.ofPermits(1);
        List<String> order = new ArrayList<>();
        CompletableFuture<String> first = new CompletableFuture<>();
        CompletableFuture<String> second = new CompletableFuture<>();
        one.run(() -> Uni.createFrom().completionStage(first)).subscribe().with(item -> order.add("delivered"));
        UniAssertSubscriber<String> failing = one.run(() -> {
            order.add("started");
            return Uni.createFrom().completionStage(second);
        }).subscribe().withSubscriber(UniAssertSubscriber.create());
        UniAssertSubscriber<String> last = one.run(() -> Uni.createFrom().item("last")).subscribe()
                .withSubscriber(UniAssertSubscriber.create());

        // When
        first.complete("first");
        second.completeExceptionally(new IllegalStateException("second"));

        // Then
        assertThat(order).containsExactly("delivered", "started");
        failing.assertFailedWith(IllegalStateException.class, "second");
        last.assertCompleted().assertItem("last");
        assertThat(one.running()).isZero();
    }

    @Test
    void aTaskThatFollowsFromADeliveredOutcomeFindsThePermitFree() {
        AdmissionQueue one = AdmissionQueue.ofPermits(1, 0, "works", RefusedException::new);

        String both = one.run(() -> Uni.createFrom().item("a"))
                .chain(a -> one.run(() -> Uni.createFrom().item(a + "b"))).await().atMost(PATIENCE);

        assertThat(both).isEqualTo("ab");
        assertThat(one.running()).isZero();
    }

    @Test
    void aStreamHoldsItsPermitUntilItEndsOrIsCancelled() {
        AssertSubscriber<Integer> cancelled = permits.stream(() -> Multi.createFrom().items(1, 2, 3), PATIENCE).subscribe()
                .withSubscriber(AssertSubscriber.create(1));
        assertThat(permits.running()).isEqualTo(1);
        cancelled.cancel();
        assertThat(permits.running()).isZero();

        permits.stream(() -> Multi.createFrom().items(1, 2, 3), PATIENCE).subscribe()
                .withSubscriber(AssertSubscriber.create(9))
                .assertCompleted().assertItems(1, 2, 3);
        permits.stream(() -> Multi.createFrom().failure(new IllegalStateException("x")), PATIENCE).subscribe()
                .withSubscriber(AssertSubscriber.create(9)).assertFailedWith(IllegalStateException.class);
        assertThat(permits.running()).isZero();
    }

    @Test
    void aRefusedStreamSaysWhy() {
        AdmissionQueue none = AdmissionQueue.ofPermits(1, 0, "works", RefusedException::new);
        none.stream(() -> Multi.createFrom().nothing(), PATIENCE).subscribe().withSubscriber(AssertSubscriber.create(1));

        AssertSubscriber<Object> refused = none.stream(() -> Multi.createFrom().nothing(), PATIENCE).subscribe()
                .withSubscriber(AssertSubscriber.create(1));

        assertThat(refused.getFailure()).isInstanceOfSatisfying(RefusedException.class,
                failure -> assertThat(failure.reason).isEqualTo(Reason.OVERLOADED));
    }

    @Test
    void aStreamWaitsNoLongerThanItsTime() {
        AdmissionQueue one = AdmissionQueue.ofPermits(1, 1, "works", RefusedException::new);
        one.stream(() -> Multi.createFrom().nothing(), PATIENCE).subscribe().withSubscriber(AssertSubscriber.create(1));

        AssertSubscriber<Object> late = one.stream(() -> Multi.createFrom().nothing(), Duration.ofMillis(1)).subscribe()
                .withSubscriber(AssertSubscriber.create(1)).awaitFailure(Patience.LIMIT);

        assertThat(late.getFailure()).isInstanceOfSatisfying(RefusedException.class,
                failure -> assertThat(failure.reason).isEqualTo(Reason.TIMED_OUT));
        assertThat(one.waiting()).isZero();
        assertThat(one.running()).isEqualTo(1);
    }

    @Test
    void manyThreadsNeverRunMoreThanThePermitsAndLoseNone() throws Exception {
        AdmissionQueue many = AdmissionQueue.ofPermits(3, Integer.MAX_VALUE, "works", RefusedException::new);
        AtomicInteger running = new AtomicInteger();
        AtomicInteger most = new AtomicInteger();
        CyclicBarrier start = new CyclicBarrier(8);
        ExecutorService threads = Executors.newFixedThreadPool(8);
        try {
            List<Future<?>> all = new ArrayList<>();
            for (int thread = 0; thread < 8; thread++) {
                all.add(threads.submit(() -> {
                    start.await();
                    for (int i = 0; i < 1_000; i++) {
                        boolean cancel = i % 3 == 0;
                        UniAssertSubscriber<Integer> told = many.run(() -> {
                            most.accumulateAndGet(running.incrementAndGet(), Math::max);
                            return Uni.createFrom().item(running::decrementAndGet);
                        }).subscribe().withSubscriber(UniAssertSubscriber.create());
                        if (cancel) {
                            told.cancel();
                        } else {
                            told.awaitItem(Patience.LIMIT);
                        }
                    }
                    return null;
                }));
            }
            for (Future<?> each : all) {
                each.get();
            }
        } finally {
            threads.shutdownNow();
        }
        assertThat(most.get()).isBetween(1, 3);
        assertThat(many.running()).isZero();
        assertThat(many.waiting()).isZero();
    }

    /** What a service makes of a refusal. */
    private static final class RefusedException extends RuntimeException {

        private static final long serialVersionUID = 1L;

        private final Reason reason;

        RefusedException(Reason reason, String detail) {
            super(detail);
            this.reason = reason;
        }
    }

    private UniAssertSubscriber<String> run(CompletableFuture<String> work) {
        return permits.run(() -> Uni.createFrom().completionStage(work)).subscribe()
                .withSubscriber(UniAssertSubscriber.create());
    }
}
