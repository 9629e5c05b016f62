package dev.windrow.gather.fanout;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Function;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;

import dev.windrow.base.Reason;
import dev.windrow.gather.read.GatherException;
import io.smallrye.mutiny.Uni;
import io.smallrye.mutiny.helpers.test.UniAssertSubscriber;

class HeldMemoryTest {

    private static final long STEPS = 10;

    private final HeldMemory memory = new HeldMemory(STEPS * HeldMemory.STEP);
    private final HeldMemory.Share one = memory.share();
    private final HeldMemory.Share other = memory.share();

    @Test
    void allSharesTogetherHoldNoMoreThanTheMaximum() {
        // Given
        one.add(6 * HeldMemory.STEP);

        // When
        assertThatThrownBy(() -> other.add(5 * HeldMemory.STEP))
                .satisfies(failure -> assertThat(GatherException.reasonOf(failure)).isEqualTo(Reason.OVERLOADED));

        // Then
        assertThat(memory.held()).isEqualTo(6 * HeldMemory.STEP);
        assertThatCode(() -> other.add(4 * HeldMemory.STEP)).doesNotThrowAnyException();
        assertThat(memory.held()).isEqualTo(STEPS * HeldMemory.STEP);
    }

    @Test
    void aQueryThatDoesNotFitGivesWayAtOnce() {
        // Given
        one.add(6 * HeldMemory.STEP);
        other.add(4 * HeldMemory.STEP);

        // When
        assertThatThrownBy(() -> one.add(1)).isInstanceOf(GatherException.class);

        // Then
        assertThat(memory.held()).isEqualTo(4 * HeldMemory.STEP);
        assertThatCode(() -> other.add(6 * HeldMemory.STEP)).doesNotThrowAnyException();
        assertThatThrownBy(() -> one.add(1)).as("another part of the query that was refused")
                .isInstanceOf(GatherException.class);
    }

    @Test
    void aShareThatCannotBeSetToMoreKeepsWhatItHolds() {
        // Given
        one.set(6 * HeldMemory.STEP);

        // When
        assertThatThrownBy(() -> one.set((STEPS + 1) * HeldMemory.STEP)).isInstanceOf(GatherException.class);

        // Then
        assertThat(memory.held()).isEqualTo(6 * HeldMemory.STEP);
    }

    @Test
    void ofManyEqualQueriesAtATimeAsManyFinishAsFit() throws Exception {
        // Given
        int queries = 8;
        long needed = 3;
        CyclicBarrier together = new CyclicBarrier(queries);
        ExecutorService threads = Executors.newFixedThreadPool(queries);

        for (int round = 0; round < 200; round++) {
            // When
            List<HeldMemory.Share> shares = Stream.generate(memory::share).limit(queries).toList();
            List<Future<Boolean>> ends = threads.invokeAll(shares.stream().<Callable<Boolean>> map(share -> () -> {
                together.await();
                return finishes(share, needed);
            }).toList());

            // Then
            long finished = 0;
            for (Future<Boolean> end : ends) {
                finished += end.get() ? 1 : 0;
            }
            assertThat(finished).isEqualTo(STEPS / needed);
            assertThat(memory.held()).isEqualTo(finished * needed * HeldMemory.STEP);
            shares.forEach(HeldMemory.Share::release);
        }
        threads.shutdownNow();
    }

    private static boolean finishes(HeldMemory.Share share, long steps) {
        try {
            for (long i = 0; i < steps; i++) {
                share.add(HeldMemory.STEP);
            }
            return true;
        } catch (GatherException overloaded) {
            return false;
        }
    }

    @Test
    void aShareThatShrinksLeavesRoomForOthers() {
        // Given
        one.set(STEPS * HeldMemory.STEP);

        // When
        one.set(1);

        // Then
        assertThat(memory.held()).isEqualTo(HeldMemory.STEP);
        assertThatCode(() -> other.set((STEPS - 1) * HeldMemory.STEP)).doesNotThrowAnyException();
    }

    @Test
    void manySmallAdditionsTakeWholeSteps() {
        // When
        for (int i = 0; i < 1_000; i++) {
            one.add(100);
        }

        // Then
        assertThat(memory.held()).isEqualTo(2 * HeldMemory.STEP);
    }

    @Test
    void aReleasedShareHoldsNothingThoughMoreIsAdded() {
        // Given
        one.add(1);

        // When
        one.release();
        one.add(2 * STEPS * HeldMemory.STEP);
        one.release();

        // Then
        assertThat(memory.held()).isZero();
    }

    @Test
    void nothingIsHeldAfterTasksThatAnswerFailThrowOrAreCancelled() {
        // When
        for (int i = 0; i < 1_000; i++) {
            run(share -> Uni.createFrom().item("answer"));
            run(share -> Uni.createFrom().failure(new IllegalStateException("failed")));
            run(share -> {
                throw new IllegalStateException("thrown");
            });
            run(share -> {
                share.add((STEPS + 1) * HeldMemory.STEP);
                return Uni.createFrom().item("too much");
            });
            run(share -> Uni.createFrom().nothing()).cancel();
        }

        // Then
        assertThat(memory.held()).isZero();
    }

    @Test
    void eachTaskHoldsItsShareUntilItEnds() {
        // Given
        CompletableFuture<String> ends = new CompletableFuture<>();

        // When
        UniAssertSubscriber<String> running = run(share -> Uni.createFrom().completionStage(ends));
        long held = memory.held();
        ends.complete("answer");

        // Then
        running.awaitItem();
        assertThat(held).isEqualTo(HeldMemory.STEP);
        assertThat(memory.held()).isZero();
    }

    private UniAssertSubscriber<String> run(Function<HeldMemory.Share, Uni<String>> task) {
        return memory.during(share -> {
            share.add(1);
            return task.apply(share);
        }).subscribe().withSubscriber(UniAssertSubscriber.create());
    }
}
