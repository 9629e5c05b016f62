package dev.windrow.gather.fanout;

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
import java.util.function.Supplier;

import org.junit.jupiter.api.Test;

import dev.windrow.reason.Reason;
import dev.windrow.testing.Patience;
import io.smallrye.mutiny.Multi;
import io.smallrye.mutiny.Uni;
import io.smallrye.mutiny.helpers.test.AssertSubscriber;
import io.smallrye.mutiny.helpers.test.UniAssertSubscriber;
import io.smallrye.mutiny.operators.AbstractUni;
import io.smallrye.mutiny.subscription.UniSubscriber;

class AsyncPermitsTest {

    private static final Duration PATIENCE = Patience.LIMIT;

    private final AsyncPermits permits = new AsyncPermits(2, 1, "works");

    @Test
    void moreThanMayWaitAreRefused() {
        List<CompletableFuture<String>> works = List.of(new CompletableFuture<>(), new CompletableFuture<>(),
                new CompletableFuture<>());
        List<UniAssertSubscriber<String>> told = works.stream().map(work -> run(work)).toList();

        UniAssertSubscriber<String> refused = run(CompletableFuture.completedFuture("d"));

        assertThat(permits.running()).isEqualTo(2);
        assertThat(permits.waiting()).isEqualTo(1);
        assertThat(GatherException.reasonOf(refused.assertFailed().getFailure())).isEqualTo(Reason.OVERLOADED);
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
    void aStreamHoldsItsPermitUntilItEndsOrIsCancelled() {
        AssertSubscriber<Integer> cancelled = permits.stream(() -> Multi.createFrom().items(1, 2, 3), PATIENCE).subscribe()
                .withSubscriber(AssertSubscriber.create(1));
        assertThat(permits.running()).isEqualTo(1);
        cancelled.cancel();
        assertThat(permits.running()).isZero();

        permits.stream(() -> Multi.createFrom().items(1, 2, 3), PATIENCE).subscribe().withSubscriber(AssertSubscriber.create(9))
                .assertCompleted().assertItems(1, 2, 3);
        permits.stream(() -> Multi.createFrom().failure(new IllegalStateException("x")), PATIENCE).subscribe()
                .withSubscriber(AssertSubscriber.create(9)).assertFailedWith(IllegalStateException.class);
        assertThat(permits.running()).isZero();
    }

    @Test
    void aRefusedStreamSaysWhy() {
        AsyncPermits none = new AsyncPermits(1, 0, "works");
        none.stream(() -> Multi.createFrom().nothing(), PATIENCE).subscribe().withSubscriber(AssertSubscriber.create(1));

        AssertSubscriber<Object> refused = none.stream(() -> Multi.createFrom().nothing(), PATIENCE).subscribe()
                .withSubscriber(AssertSubscriber.create(1));

        assertThat(GatherException.reasonOf(refused.getFailure())).isEqualTo(Reason.OVERLOADED);
    }

    @Test
    void manyThreadsNeverRunMoreThanThePermitsAndLoseNone() throws Exception {
        AsyncPermits many = new AsyncPermits(3, Integer.MAX_VALUE, "works");
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
                            told.awaitItem();
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

    @Test
    void workThatThrowsFailsAndLeavesTheQueueRunning() {
        AsyncPermits one = new AsyncPermits(1, 10, "works");
        CompletableFuture<String> first = new CompletableFuture<>();
        UniAssertSubscriber<String> begun = run(one, () -> Uni.createFrom().completionStage(first));
        UniAssertSubscriber<String> thrown = run(one, ThrowsWhenSubscribedTo::new);
        UniAssertSubscriber<String> notMade = run(one, () -> {
            throw new IllegalStateException("not made");
        });
        UniAssertSubscriber<String> behind = run(one, () -> Uni.createFrom().item("behind"));

        first.complete("first");

        begun.assertItem("first");
        thrown.assertFailedWith(IllegalStateException.class, "no timer so short");
        notMade.assertFailedWith(IllegalStateException.class, "not made");
        behind.assertItem("behind");
        run(one, () -> Uni.createFrom().item("later")).assertItem("later");
        assertThat(one.running()).isZero();
        assertThat(one.waiting()).isZero();
    }

    /** As a timer does that is given less than a millisecond. */
    private static final class ThrowsWhenSubscribedTo extends AbstractUni<String> {
        @Override
        public void subscribe(UniSubscriber<? super String> subscriber) {
            throw new IllegalStateException("no timer so short");
        }
    }

    private static UniAssertSubscriber<String> run(AsyncPermits permits, Supplier<Uni<String>> work) {
        return permits.run(work).subscribe().withSubscriber(UniAssertSubscriber.create());
    }

    private UniAssertSubscriber<String> run(CompletableFuture<String> work) {
        return permits.run(() -> Uni.createFrom().completionStage(work)).subscribe()
                .withSubscriber(UniAssertSubscriber.create());
    }
}
