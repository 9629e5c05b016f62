package dev.windrow.base;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;

import org.junit.jupiter.api.Test;

import dev.windrow.testing.Patience;
import io.smallrye.mutiny.Uni;
import io.smallrye.mutiny.helpers.test.UniAssertSubscriber;
import io.smallrye.mutiny.subscription.UniEmitter;

class SharedOutcomeTest {

    private static final int RACES = 20_000;

    /** A subscription that comes second makes what is chained take its own item for the task's. */
    @Test
    void aSubscriptionThatRacesWithTheOutcomeGetsIt() throws Exception {
        // Given
        CyclicBarrier together = new CyclicBarrier(2);
        ExecutorService other = Executors.newSingleThreadExecutor();
        try {
            for (int i = 0; i < RACES; i++) {
                AtomicReference<UniEmitter<? super String>> task = new AtomicReference<>();
                SharedOutcome<String> shared = new SharedOutcome<>();
                shared.start(Uni.createFrom().<String> emitter(task::set));

                // When
                Future<?> outcome = other.submit(() -> {
                    together.await();
                    task.get().complete("item");
                    return null;
                });
                together.await();
                // The time limit's timer takes a moment to set, in which the outcome may come.
                UniAssertSubscriber<Integer> subscriber = shared.uni()
                        .ifNoItem().after(Patience.LIMIT).recoverWithItem("late")
                        .chain(item -> Uni.createFrom().item(item.length())).subscribe()
                        .withSubscriber(UniAssertSubscriber.create());
                outcome.get();

                // Then
                assertThat(subscriber.awaitItem(Patience.LIMIT).getItem()).isEqualTo(4);
            }
        } finally {
            other.shutdown();
            assertThat(other.awaitTermination(1, TimeUnit.MINUTES)).isTrue();
        }
    }

    @Test
    void whoCancelsLeavesTheTaskToTheOthers() {
        // Given
        AtomicReference<UniEmitter<? super String>> task = new AtomicReference<>();
        AtomicInteger cancelled = new AtomicInteger();
        SharedOutcome<String> shared = new SharedOutcome<>();
        shared.start(Uni.createFrom().<String> emitter(task::set).onCancellation().invoke(cancelled::incrementAndGet));
        UniAssertSubscriber<String> leaving = shared.uni().subscribe().withSubscriber(UniAssertSubscriber.create());
        UniAssertSubscriber<String> staying = shared.uni().subscribe().withSubscriber(UniAssertSubscriber.create());

        // When
        leaving.cancel();
        task.get().complete("item");

        // Then
        staying.assertCompleted().assertItem("item");
        leaving.assertNotTerminated();
        shared.uni().subscribe().withSubscriber(UniAssertSubscriber.create()).assertItem("item");
        assertThat(cancelled).hasValue(0);
    }
}
