package dev.windrow.base;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;

import dev.windrow.testing.Patience;
import dev.windrow.testing.Seeds;
import io.smallrye.mutiny.Multi;
import io.smallrye.mutiny.Uni;
import io.smallrye.mutiny.helpers.test.AssertSubscriber;
import io.smallrye.mutiny.helpers.test.UniAssertSubscriber;
import io.smallrye.mutiny.infrastructure.Infrastructure;
import io.smallrye.mutiny.operators.AbstractUni;
import io.smallrye.mutiny.subscription.UniSubscriber;

class AdmissionQueueTest {

    private static final int CASES = 300;
    private static final int STEPS = 200;
    private static final int MAX_WAITING = 6;

    /** Memory of a fixed size. Fails the test if more is given back than was taken. */
    private static final class Memory implements Gate {

        private final long bytes;
        private long taken;
        private boolean closed;

        Memory(long bytes) {
            this.bytes = bytes;
        }

        @Override
        public synchronized boolean tryTake(long weight) {
            boolean fits = !closed && taken + weight <= bytes;
            if (fits) {
                taken += weight;
            }
            return fits;
        }

        @Override
        public synchronized void giveBack(long weight) {
            taken -= weight;
            assertThat(taken).isNotNegative();
        }

        synchronized void close(boolean closing) {
            closed = closing;
        }

        synchronized long taken() {
            return taken;
        }
    }

    /** A work that the test ends, and what became of it. */
    private static final class Job {

        private final int number;
        private final long weight;
        private final CompletableFuture<Integer> work = new CompletableFuture<>();
        private final UniAssertSubscriber<Integer> subscriber = UniAssertSubscriber.create();
        private boolean started;

        Job(int number, long weight) {
            this.number = number;
            this.weight = weight;
        }

        @Override
        public String toString() {
            return "#" + number + " of " + weight;
        }
    }

    @Test
    void admitsAsASimpleModelDoesWhateverHappensInWhateverOrder() {
        // Given
        RandomGenerator random = Seeds.random("AdmissionQueueTest");
        for (int i = 0; i < CASES; i++) {
            new Case(random).run();
        }
    }

    /** One generated history, next to a model: a list of what runs, and a list of what waits. */
    private static final class Case {

        private final RandomGenerator random;
        private final Memory memory;
        private final AdmissionQueue queue;
        private final List<Job> running = new ArrayList<>();
        private final Deque<Job> waiting = new ArrayDeque<>();
        private final List<Integer> startedInOrder = new ArrayList<>();
        private final List<Integer> expectedOrder = new ArrayList<>();
        private int jobs;
        private boolean closed;

        Case(RandomGenerator random) {
            this.random = random;
            this.memory = new Memory(random.nextInt(1, 20));
            this.queue = new AdmissionQueue(memory, MAX_WAITING, "tasks",
                    (reason, detail) -> new IllegalStateException("refused"));
        }

        void run() {
            for (int step = 0; step < STEPS; step++) {
                step();
                admit();
                check();
            }
            // Then nothing is left behind once all have ended
            close(false);
            admit();
            while (!running.isEmpty()) {
                end(running.remove(0));
                admit();
                check();
            }
            assertThat(queue.waiting()).isZero();
            assertThat(memory.taken()).isZero();
        }

        private void step() {
            switch (random.nextInt(8)) {
                case 0, 1, 2 -> submit();
                case 3, 4 -> pick(running).ifPresent(this::end);
                case 5 -> pick(running).ifPresent(job -> job.subscriber.cancel());
                case 6 -> pick(waiting).ifPresent(job -> job.subscriber.cancel());
                default -> close(!closed);
            }
        }

        private void submit() {
            Job job = new Job(jobs++, random.nextLong(1, memory.bytes + 1));
            boolean free = waiting.isEmpty() && fits(job);
            if (free) {
                admitted(job);
            } else if (waiting.size() < MAX_WAITING) {
                waiting.add(job);
            }
            boolean refused = !free && !waiting.contains(job);
            queue.run(job.weight, () -> {
                job.started = true;
                startedInOrder.add(job.number);
                return Uni.createFrom().completionStage(job.work);
            }).subscribe().withSubscriber(job.subscriber);
            if (refused) {
                job.subscriber.assertFailedWith(IllegalStateException.class, "refused");
            } else {
                job.subscriber.assertNotTerminated();
            }
        }

        private void end(Job job) {
            if (random.nextBoolean()) {
                job.work.complete(job.number);
                job.subscriber.assertCompleted().assertItem(job.number);
            } else {
                job.work.completeExceptionally(new IllegalArgumentException("failed"));
                job.subscriber.assertFailedWith(IllegalArgumentException.class, "failed");
            }
        }

        private void close(boolean closing) {
            closed = closing;
            memory.close(closing);
            queue.wakeUp();
        }

        private void admit() {
            while (!waiting.isEmpty() && fits(waiting.peek())) {
                admitted(waiting.remove());
            }
        }

        private void admitted(Job job) {
            running.add(job);
            expectedOrder.add(job.number);
        }

        private boolean fits(Job job) {
            return !closed && job.weight + running.stream().mapToLong(each -> each.weight).sum() <= memory.bytes;
        }

        private void check() {
            assertThat(running).allMatch(job -> job.started);
            assertThat(waiting).noneMatch(job -> job.started);
            assertThat(startedInOrder).as("first come, first served").isEqualTo(expectedOrder);
            assertThat(memory.taken()).isEqualTo(running.stream().mapToLong(job -> job.weight).sum());
            assertThat(queue.waiting()).isEqualTo(waiting.size());
        }

        private Optional<Job> pick(Collection<Job> jobs) {
            if (jobs.isEmpty()) {
                return Optional.empty();
            }
            Job picked = jobs.stream().skip(random.nextInt(jobs.size())).findFirst().orElseThrow();
            jobs.remove(picked);
            return Optional.of(picked);
        }
    }

    /** A task that ends when the test says so. */
    private static final class OwnedTask implements Admissible {

        private final AdmissionQueue queue;
        private final String owner;
        private final List<String> started;
        private boolean abandoned;

        OwnedTask(AdmissionQueue queue, String owner, List<String> started) {
            this.queue = queue;
            this.owner = owner;
            this.started = started;
            queue.submit(this);
        }

        @Override
        public long weight() {
            return 1;
        }

        @Override
        public Object owner() {
            return owner;
        }

        @Override
        public void start() {
            started.add(owner);
        }

        @Override
        public void refused(RuntimeException refusal) {
            throw refusal;
        }

        @Override
        public boolean isAbandoned() {
            return abandoned;
        }

        void cancel() {
            abandoned = true;
            queue.withdraw(this);
        }
    }

    @Test
    void ownersTakeTurns() {
        // Given one that is busy with all there is, has much more to do, and others that come later
        AdmissionQueue queue = new AdmissionQueue(new Memory(2));
        List<String> started = new ArrayList<>();
        List<OwnedTask> large = Stream.generate(() -> new OwnedTask(queue, "large", started)).limit(6).toList();
        new OwnedTask(queue, "small", started);
        OwnedTask cancelled = new OwnedTask(queue, "gone", started);
        new OwnedTask(queue, "other", started);
        new OwnedTask(queue, "other", started);
        assertThat(started).containsExactly("large", "large");

        // When
        cancelled.cancel();
        for (int i = 0; i < 7; i++) {
            queue.giveBack(large.get(0));
        }

        // Then
        assertThat(started).containsExactly("large", "large", "large", "small", "other", "large", "other", "large", "large");
        assertThat(queue.waiting()).isZero();
    }

    @Test
    void aCancelledWorkHasStoppedBeforeTheNextOneStarts() {
        // Given
        AdmissionQueue queue = new AdmissionQueue(new Memory(1));
        List<String> order = new ArrayList<>();
        UniAssertSubscriber<Object> first = queue.run(1, () -> Uni.createFrom().nothing().onCancellation()
                .invoke(() -> order.add("first stopped"))).subscribe().withSubscriber(UniAssertSubscriber.create());
        queue.run(1, () -> {
            order.add("second started");
            return Uni.createFrom().voidItem();
        }).subscribe().withSubscriber(UniAssertSubscriber.create());

        // When
        first.cancel();

        // Then
        assertThat(order).containsExactly("first stopped", "second started");
    }

    @Test
    void aWorkThatIsCancelledWhileItStartsIsStoppedAndGivesBack() {
        // Given
        Memory memory = new Memory(1);
        AdmissionQueue queue = new AdmissionQueue(memory);
        UniAssertSubscriber<String> subscriber = UniAssertSubscriber.create();
        CompletableFuture<String> never = new CompletableFuture<>();

        // When
        queue.run(1, () -> {
            subscriber.cancel();
            return Uni.createFrom().completionStage(never);
        }).subscribe().withSubscriber(subscriber);

        // Then
        assertThat(never).isCancelled();
        assertThat(memory.taken()).isZero();
    }

    @Test
    void worksThatEndAtOnceMakeNoDeepStack() {
        // Given
        AdmissionQueue queue = new AdmissionQueue(new Memory(1));
        CompletableFuture<String> first = new CompletableFuture<>();
        run(queue, 1, first);
        AtomicInteger ended = new AtomicInteger();
        for (int i = 0; i < 100_000; i++) {
            queue.run(1, () -> Uni.createFrom().item(ended::incrementAndGet)).subscribe().with(item -> {
            });
        }

        // When
        first.complete("first");

        // Then
        assertThat(ended).hasValue(100_000);

        // And when each one is submitted by the one before
        AtomicInteger left = new AtomicInteger(100_000);
        submitNext(queue, left);
        assertThat(left).hasValue(0);
    }

    private static void submitNext(AdmissionQueue queue, AtomicInteger left) {
        queue.run(1, () -> Uni.createFrom().item(left::decrementAndGet)).subscribe().with(now -> {
            if (now > 0) {
                submitNext(queue, left);
            }
        });
    }

    @Test
    void workThatThrowsFailsAloneAndTheQueueGoesOn() {
        // Given
        AdmissionQueue queue = new AdmissionQueue(new Memory(1));
        CompletableFuture<String> first = new CompletableFuture<>();
        run(queue, 1, first);
        UniAssertSubscriber<String> thrown = queue.<String> run(1, ThrowsWhenSubscribedTo::new).subscribe()
                .withSubscriber(UniAssertSubscriber.create());
        UniAssertSubscriber<String> notMade = queue.<String> run(1, () -> {
            throw new IllegalStateException("not made");
        }).subscribe().withSubscriber(UniAssertSubscriber.create());
        UniAssertSubscriber<String> behind = run(queue, 1, CompletableFuture.completedFuture("behind"));

        // When
        first.complete("first");

        // Then
        thrown.assertFailedWith(IllegalStateException.class, "no timer so short");
        notMade.assertFailedWith(IllegalStateException.class, "not made");
        behind.assertItem("behind");
        assertThat(queue.waiting()).isZero();
    }

    @Test
    void manyThreadsTakeNoMoreThanThereIsAndLoseNoWakeUp() throws Exception {
        // Given
        RandomGenerator random = Seeds.random("AdmissionQueueTest, threads");
        Memory memory = new Memory(10);
        AdmissionQueue queue = new AdmissionQueue(memory);
        AtomicLong used = new AtomicLong();
        AtomicLong maxUsed = new AtomicLong();
        int threads = 8;
        CyclicBarrier start = new CyclicBarrier(threads);
        ExecutorService pool = Executors.newFixedThreadPool(2 * threads);
        try {
            // When
            List<Future<?>> all = new ArrayList<>();
            for (int thread = 0; thread < threads; thread++) {
                long seed = random.nextLong();
                all.add(pool.submit(() -> {
                    RandomGenerator own = new SplittableRandom(seed);
                    start.await();
                    for (int i = 0; i < 500; i++) {
                        long weight = own.nextLong(1, 11);
                        UniAssertSubscriber<Long> subscriber = UniAssertSubscriber.create();
                        queue.run(weight, () -> Uni.createFrom().emitter(emitter -> {
                            maxUsed.accumulateAndGet(used.addAndGet(weight), Math::max);
                            AtomicInteger once = new AtomicInteger();
                            emitter.onTermination(() -> {
                                if (once.getAndIncrement() == 0) {
                                    used.addAndGet(-weight);
                                }
                            });
                            pool.execute(() -> {
                                if (once.getAndIncrement() == 0) {
                                    used.addAndGet(-weight);
                                }
                                emitter.complete(weight);
                            });
                        }).map(item -> (Long) item)).subscribe().withSubscriber(subscriber);
                        if (own.nextInt(3) == 0) {
                            subscriber.cancel();
                        } else {
                            subscriber.awaitItem(Patience.LIMIT);
                        }
                    }
                    return null;
                }));
            }
            for (Future<?> each : all) {
                each.get();
            }
        } finally {
            pool.shutdownNow();
        }

        // Then
        assertThat(maxUsed.get()).isBetween(1L, 10L);
        assertThat(memory.taken()).isZero();
        assertThat(queue.waiting()).isZero();
    }

    @Test
    void theLoopRunsOnAfterATaskThatThrewOrMetAnError() {
        // Given
        AtomicInteger runs = new AtomicInteger();
        DrainLoop[] loop = new DrainLoop[1];
        loop[0] = new DrainLoop(() -> {
            if (runs.incrementAndGet() == 1) {
                loop[0].run();
                throw new IllegalStateException("first run");
            } else if (runs.get() == 3) {
                throw new StackOverflowError("third run");
            }
        });

        // When and then
        assertThatThrownBy(() -> loop[0].run()).hasMessage("first run");
        assertThat(runs).as("the wake-up during the first run is not lost").hasValue(2);
        assertThatThrownBy(() -> loop[0].run()).isInstanceOf(StackOverflowError.class);
        loop[0].run();
        assertThat(runs).hasValue(4);
    }

    /** As a timer does that is given less than a millisecond. */
    private static final class ThrowsWhenSubscribedTo extends AbstractUni<String> {
        @Override
        public void subscribe(UniSubscriber<? super String> subscriber) {
            throw new IllegalStateException("no timer so short");
        }
    }

    private static UniAssertSubscriber<String> run(AdmissionQueue queue, long weight, CompletableFuture<String> work) {
        return queue.run(weight, () -> Uni.createFrom().completionStage(work)).subscribe()
                .withSubscriber(UniAssertSubscriber.create());
    }

    private static final Duration PATIENCE = Patience.LIMIT;

    private final AdmissionQueue permits = AdmissionQueue.ofPermits(2, 1, "works", RefusedException::new);

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
        AssertSubscriber<Integer> cancelled = permits
                .stream(() -> Multi.createFrom().items(1, 2, 3), PATIENCE, Infrastructure.getDefaultWorkerPool()).subscribe()
                .withSubscriber(AssertSubscriber.create(1));
        assertThat(permits.running()).isEqualTo(1);
        cancelled.cancel();
        assertThat(permits.running()).isZero();

        permits.stream(() -> Multi.createFrom().items(1, 2, 3), PATIENCE, Infrastructure.getDefaultWorkerPool()).subscribe()
                .withSubscriber(AssertSubscriber.create(9))
                .assertCompleted().assertItems(1, 2, 3);
        permits.stream(() -> Multi.createFrom().failure(new IllegalStateException("x")), PATIENCE,
                Infrastructure.getDefaultWorkerPool()).subscribe()
                .withSubscriber(AssertSubscriber.create(9)).assertFailedWith(IllegalStateException.class);
        assertThat(permits.running()).isZero();
    }

    @Test
    void aRefusedStreamSaysWhy() {
        AdmissionQueue none = AdmissionQueue.ofPermits(1, 0, "works", RefusedException::new);
        none.stream(() -> Multi.createFrom().nothing(), PATIENCE, Infrastructure.getDefaultWorkerPool()).subscribe()
                .withSubscriber(AssertSubscriber.create(1));

        AssertSubscriber<Object> refused = none
                .stream(() -> Multi.createFrom().nothing(), PATIENCE, Infrastructure.getDefaultWorkerPool()).subscribe()
                .withSubscriber(AssertSubscriber.create(1));

        assertThat(refused.getFailure()).isInstanceOfSatisfying(RefusedException.class,
                failure -> assertThat(failure.reason).isEqualTo(Reason.OVERLOADED));
    }

    @Test
    void aStreamWaitsNoLongerThanItsTime() {
        AdmissionQueue one = AdmissionQueue.ofPermits(1, 1, "works", RefusedException::new);
        one.stream(() -> Multi.createFrom().nothing(), PATIENCE, Infrastructure.getDefaultWorkerPool()).subscribe()
                .withSubscriber(AssertSubscriber.create(1));

        AssertSubscriber<Object> late = one
                .stream(() -> Multi.createFrom().nothing(), Duration.ofMillis(1), Infrastructure.getDefaultWorkerPool())
                .subscribe()
                .withSubscriber(AssertSubscriber.create(1)).awaitFailure(Patience.LIMIT);

        assertThat(late.getFailure()).isInstanceOfSatisfying(RefusedException.class,
                failure -> assertThat(failure.reason).isEqualTo(Reason.TIMED_OUT));
        assertThat(one.waiting()).isZero();
        assertThat(one.running()).isEqualTo(1);
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
}
