package dev.windrow.gather.read;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.random.RandomGenerator;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import dev.windrow.base.Reason;
import dev.windrow.testing.Seeds;
import io.smallrye.mutiny.Uni;
import io.smallrye.mutiny.helpers.test.UniAssertSubscriber;
import io.smallrye.mutiny.operators.AbstractUni;
import io.smallrye.mutiny.subscription.UniSubscriber;

class HedgedReadTest {

    private static final ShardPage SLOW = SimulatedReads.page(1);
    private static final ShardPage FAST = SimulatedReads.page(2);
    private static final int BREAKER_READS = 20;

    private final Deque<Uni<ShardPage>> answers = new ArrayDeque<>();
    private final SimulatedReads reads = reads(2, 1);

    private SimulatedReads reads(int maxReads, int maxWaiting) {
        return new SimulatedReads(maxReads, maxWaiting, BREAKER_READS, Seeds.random("ShardReadTest"),
                read -> answers.isEmpty() ? Uni.createFrom().item(FAST) : answers.remove());
    }

    @Test
    void aSlowShardIsReadAgainAndTheFirstAnswerTaken() {
        warmUp();
        answers.add(Uni.createFrom().nothing());

        UniAssertSubscriber<ShardPage> read = reads.read();
        reads.time.pass(SimulatedReads.SLOW.minusMillis(1));
        read.assertNotTerminated();
        reads.time.pass(Duration.ofMillis(1));

        read.assertItem(FAST);
        assertThat(reads.hedges).hasValue(1);
        nothingIsLeft();
    }

    @Test
    void aHedgeThatIsSlowIsHedgedAsWellButOnlyOnce() {
        warmUp();
        for (int i = 0; i < 3; i++) {
            answers.add(Uni.createFrom().nothing());
        }

        UniAssertSubscriber<ShardPage> read = reads.read();
        reads.time.pass(Duration.ofMinutes(1));

        read.assertNotTerminated();
        assertThat(reads.hedges).hasValue(2);
        assertThat(reads.running).hasValue(3);

        read.cancel();
        nothingIsLeft();
    }

    @Test
    void aReadThatIsSlowWhileTheBudgetIsUsedUpIsHedgedOnceThereIsSomeAgain() {
        warmUp();
        while (reads.hedging.take()) {
            assertThat(reads.hedges).hasValue(0);
        }
        answers.add(Uni.createFrom().nothing());

        UniAssertSubscriber<ShardPage> slow = reads.read();
        reads.time.pass(Duration.ofSeconds(1));
        slow.assertNotTerminated();
        warmUp();
        reads.time.pass(Duration.ofSeconds(2));

        slow.assertItem(FAST);
        assertThat(reads.hedges).hasValue(1);
        nothingIsLeft();
    }

    @Test
    void aFailedHedgeLeavesTheFirstRequestItsTime() {
        warmUp();
        CompletableFuture<ShardPage> first = answerLater();
        answers.add(Uni.createFrom().failure(new IllegalStateException("second")));

        UniAssertSubscriber<ShardPage> read = reads.read();
        reads.time.pass(SimulatedReads.SLOW);
        read.assertNotTerminated();
        first.complete(SLOW);

        read.assertItem(SLOW);
        nothingIsLeft();
    }

    @Test
    void aFirstRequestThatFailsForGoodFailsTheReadAtOnceWhateverItsHedges() {
        warmUp();
        CompletableFuture<ShardPage> first = answerLater();
        answers.add(Uni.createFrom().nothing());

        UniAssertSubscriber<ShardPage> read = reads.read();
        reads.time.pass(SimulatedReads.SLOW);
        first.completeExceptionally(new IllegalStateException("first"));

        read.assertFailedWith(IllegalStateException.class, "first");
        nothingIsLeft();
    }

    @Test
    void hedgesTakeNoPermits() {
        warmUp();
        answers.add(Uni.createFrom().nothing());
        answers.add(Uni.createFrom().nothing());
        UniAssertSubscriber<ShardPage> hedged = reads.read();
        reads.time.pass(SimulatedReads.SLOW);
        assertThat(reads.running).hasValue(2);
        assertThat(reads.permits.running()).isEqualTo(1);

        reads.read().assertItem(FAST);

        hedged.cancel();
        nothingIsLeft();
    }

    @Test
    void transientFailuresAreRetriedAndCountedOneByOne() {
        answers.add(failure(Reason.THROTTLED));
        answers.add(failure(Reason.UNAVAILABLE));
        answers.add(failure(Reason.TIMED_OUT));

        UniAssertSubscriber<ShardPage> read = reads.read();
        read.assertNotTerminated();
        reads.time.pass(SimulatedReads.PAUSE.multipliedBy(3));

        read.assertItem(FAST);
        assertThat(reads.failures).hasValue(3);
        assertThat(reads.answered).hasValue(1);
        nothingIsLeft();
    }

    @Test
    void afterTheLastRetryTheReadFailsWithTheLastFailure() {
        for (int i = 0; i < SimulatedReads.MAX_RETRIES; i++) {
            answers.add(failure(Reason.THROTTLED));
        }
        answers.add(failure(Reason.TIMED_OUT));

        UniAssertSubscriber<ShardPage> read = reads.read();
        reads.time.pass(SimulatedReads.PAUSE.multipliedBy(3));

        read.assertFailedWith(GatherException.class, "timed-out");
        assertThat(reads.attempts).hasValue(1 + SimulatedReads.MAX_RETRIES);
        nothingIsLeft();
    }

    @Test
    void otherFailuresAreNotRetried() {
        answers.add(failure(Reason.ACCESS_DENIED));
        reads.read().assertFailedWith(GatherException.class, "access-denied");
        assertThat(reads.attempts).hasValue(1);

        SimulatedReads broken = new SimulatedReads(1, 1, BREAKER_READS, Seeds.random("ShardReadTest"), read -> {
            throw new IllegalStateException("no request was made");
        });
        broken.read().assertFailedWith(IllegalStateException.class, "no request was made");
        assertThat(broken.permits.running()).isZero();
        nothingIsLeft();
    }

    @Test
    void whenMostReadsFailTheOthersFailWithoutARequestUntilATrialSucceeds() {
        // Given
        failAll(BREAKER_READS, Reason.UNAVAILABLE);
        assertThat(reads.attempts).hasValue(BREAKER_READS);

        // When
        UniAssertSubscriber<ShardPage> rejected = reads.read();

        // Then it fails at once, and is not retried
        rejected.assertFailedWith(GatherException.class,
                "the circuit breaker is open, as many reads failed; trying again soon");
        assertThat(GatherException.reasonOf(rejected.getFailure())).isEqualTo(Reason.UNAVAILABLE);
        assertThat(reads.attempts).hasValue(BREAKER_READS);
        assertThat(reads.failures).as("no request failed").hasValue(BREAKER_READS);

        // And after a while, one read at a time is let through as a trial
        reads.time.pass(SimulatedReads.OPEN);
        CompletableFuture<ShardPage> trial = answerLater();
        UniAssertSubscriber<ShardPage> trying = reads.read();
        reads.read().assertFailedWith(GatherException.class, "the circuit breaker is open");
        trial.complete(SLOW);
        trying.assertItem(SLOW);
        reads.read().assertItem(FAST);
        nothingIsLeft();
    }

    @Test
    void aTrialGoesOnForAllReadsWhenItsOwnIsCancelled() {
        failAll(BREAKER_READS, Reason.UNAVAILABLE);
        reads.time.pass(SimulatedReads.OPEN);
        CompletableFuture<ShardPage> trial = answerLater();

        reads.read().cancel();

        reads.read().assertFailedWith(GatherException.class, "the circuit breaker is open");
        trial.complete(SLOW);
        reads.read().assertItem(FAST);
        nothingIsLeft();
    }

    @Test
    void throttlingDoesNotOpenTheCircuitBreaker() {
        failAll(2 * BREAKER_READS, Reason.THROTTLED);

        reads.read().assertItem(FAST);
    }

    @Test
    void aReadWaitsForItsPermitAndIsRefusedWhereTooManyDo() {
        answers.add(Uni.createFrom().nothing());
        answers.add(Uni.createFrom().nothing());
        UniAssertSubscriber<ShardPage> first = reads.read();
        UniAssertSubscriber<ShardPage> second = reads.read();
        UniAssertSubscriber<ShardPage> waiting = reads.read();

        reads.read().assertFailedWith(GatherException.class, "2 reads are running and 1 are waiting");
        assertThat(reads.permits.waiting()).isEqualTo(1);
        waiting.assertNotTerminated();
        first.cancel();

        waiting.assertItem(FAST);
        second.cancel();
        nothingIsLeft();
    }

    @Test
    void anErrorWhileAReadStartsFailsItAndNoOther() {
        // Given
        answers.add(new AbstractUni<>() {
            @Override
            public void subscribe(UniSubscriber<? super ShardPage> subscriber) {
                throw new StackOverflowError("deep");
            }
        });

        // When
        UniAssertSubscriber<ShardPage> failing = reads.read();

        // Then
        failing.assertFailedWith(StackOverflowError.class, "deep");
        reads.read().assertItem(FAST);
        assertThat(reads.permits.running()).isZero();
    }

    @Test
    void aReadThatIsCancelledWhileItStartsLeavesNothingBehind() {
        UniAssertSubscriber<ShardPage> subscriber = UniAssertSubscriber.create();
        AtomicBoolean gone = new AtomicBoolean();
        answers.add(Uni.createFrom().deferred(() -> {
            subscriber.cancel();
            return Uni.createFrom().<ShardPage> nothing().onCancellation().invoke(() -> gone.set(true));
        }));

        reads.prepared().subscribe().withSubscriber(subscriber);

        assertThat(gone).isTrue();
        nothingIsLeft();
    }

    /** Otherwise nobody would tell the circuit breaker how its only trial ended. */
    @Test
    void aTrialGoesOnWhenItsReadIsCancelledWhileItStarts() {
        failAll(BREAKER_READS, Reason.UNAVAILABLE);
        reads.time.pass(SimulatedReads.OPEN);
        UniAssertSubscriber<ShardPage> subscriber = UniAssertSubscriber.create();
        CompletableFuture<ShardPage> trial = new CompletableFuture<>();
        answers.add(Uni.createFrom().deferred(() -> {
            subscriber.cancel();
            return Uni.createFrom().completionStage(trial);
        }));
        reads.prepared().subscribe().withSubscriber(subscriber);

        trial.complete(SLOW);

        reads.read().assertItem(FAST);
        nothingIsLeft();
    }

    /** Makes latencies known and saves up hedges. */
    private void warmUp() {
        for (int i = 0; i < 200; i++) {
            reads.read().assertItem(FAST);
        }
    }

    /** Makes this many requests, retries included: each read fails and is retried as often as possible. */
    private void failAll(int requests, Reason reason) {
        for (int i = 0; i < requests; i++) {
            answers.add(failure(reason));
        }
        for (int i = 0; i < requests / (1 + SimulatedReads.MAX_RETRIES); i++) {
            reads.read();
            reads.time.pass(SimulatedReads.PAUSE.multipliedBy(3));
        }
    }

    private CompletableFuture<ShardPage> answerLater() {
        CompletableFuture<ShardPage> answer = new CompletableFuture<>();
        answers.add(Uni.createFrom().completionStage(answer));
        return answer;
    }

    private static Uni<ShardPage> failure(Reason reason) {
        return Uni.createFrom().failure(() -> new GatherException(reason, reason.word()));
    }

    private void nothingIsLeft() {
        assertThat(reads.running).hasValue(0);
        assertThat(reads.permits.running()).isZero();
        assertThat(reads.permits.waiting()).isZero();
    }

    private static final RandomGenerator RANDOM = Seeds.random("ShardReadTest");

    @ParameterizedTest
    @CsvSource({ "100, 0, 10, 30", "100, 1, 30, 50", "100, 2, 70, 90", "100, 3, 90, 100", "100, 999, 90, 100", "20, 0, 10, 20",
            "20, 99, 10, 20" })
    void pausesDoubleUpToTheMaximumAndVaryByHalfOfTheFirst(int maximum, int retry, long least, long most) {
        RetryPolicy backoff = new RetryPolicy(1, Duration.ofMillis(20), Duration.ofMillis(maximum), () -> RANDOM);

        Set<Long> drawn = Stream.generate(() -> backoff.pause(retry).toMillis()).limit(10_000).collect(Collectors.toSet());

        assertThat(drawn).containsExactlyInAnyOrderElementsOf(LongStream.rangeClosed(least, most).boxed().toList());
    }

    @Test
    void noPauseIsPossible() {
        assertThat(new RetryPolicy(1, Duration.ZERO, Duration.ZERO, () -> RANDOM).pause(5)).isZero();
    }
}
