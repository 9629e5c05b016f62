package dev.windrow.base;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import dev.windrow.testing.Patience;
import io.smallrye.mutiny.Uni;
import io.smallrye.mutiny.helpers.test.UniAssertSubscriber;
import io.smallrye.mutiny.infrastructure.Infrastructure;

class JoinedTest {

    private static final int TASKS = 8;
    private static final int ROUNDS = 500;

    private final Queue<Throwable> dropped = new ConcurrentLinkedQueue<>();

    @BeforeEach
    void watch() {
        Infrastructure.setDroppedExceptionHandler(dropped::add);
    }

    @AfterEach
    void reset() {
        Infrastructure.resetDroppedExceptionHandler();
    }

    @Test
    void itemsComeInTheOrderOfTheTasks() {
        CompletableFuture<String> first = new CompletableFuture<>();
        UniAssertSubscriber<List<String>> all = Joined.all(List.of(Uni.createFrom().completionStage(first),
                Uni.createFrom().item("b"))).subscribe().withSubscriber(UniAssertSubscriber.create());

        all.assertNotTerminated();
        first.complete("a");

        all.assertCompleted().assertItem(List.of("a", "b"));
    }

    @Test
    void theFirstFailureIsTheOneOnceAllHaveEnded() {
        CompletableFuture<String> other = new CompletableFuture<>();
        UniAssertSubscriber<List<String>> all = Joined.all(List.of(Uni.createFrom().completionStage(other),
                Uni.createFrom().failure(new IllegalStateException("this one")))).subscribe()
                .withSubscriber(UniAssertSubscriber.create());

        all.assertNotTerminated();
        other.complete("the other");

        all.assertFailedWith(IllegalStateException.class, "this one");
    }

    @Test
    void failuresAtTheSameMomentAreOne() throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(TASKS);
        for (int round = 0; round < ROUNDS; round++) {
            CyclicBarrier together = new CyclicBarrier(TASKS);
            List<Uni<String>> tasks = new ArrayList<>(IntStream.range(0, TASKS).mapToObj(i -> Uni.createFrom()
                    .<String> emitter(emitter -> threads.execute(() -> {
                        try {
                            together.await();
                        } catch (Exception e) {
                            throw new IllegalStateException(e);
                        }
                        emitter.fail(new IllegalStateException("timed out"));
                    })).onTermination().invoke(() -> {
                    }).map(String::strip).map(String::strip)).toList());

            assertThatThrownBy(() -> Joined.all(tasks).await().atMost(Patience.LIMIT)).hasMessage("timed out");
        }
        threads.shutdown();
        assertThat(threads.awaitTermination(1, TimeUnit.MINUTES)).isTrue();
        assertThat(dropped).isEmpty();
    }
}
