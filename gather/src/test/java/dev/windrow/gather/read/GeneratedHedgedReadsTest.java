package dev.windrow.gather.read;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.random.RandomGenerator;

import org.junit.jupiter.api.Test;

import dev.windrow.base.AdmissionQueue;
import dev.windrow.base.CircuitBreaker;
import dev.windrow.base.Reason;
import dev.windrow.base.SharedTimer;
import dev.windrow.gather.testing.SimulatedTime;
import dev.windrow.testing.GeneratedCases;
import dev.windrow.testing.Patience;
import dev.windrow.testing.Seeds;
import io.smallrye.mutiny.Uni;
import io.smallrye.mutiny.subscription.Cancellable;

/** Whatever the table does and whenever clients cancel, a read has one outcome and leaves nothing behind. */
class GeneratedHedgedReadsTest {

    private static final int CASES = GeneratedCases.count("windrow.reads.cases", 100, 2_000);
    private static final int STEPS = 100;
    private static final int WARM_UP = 100;
    private static final Duration ATTEMPT_TIMEOUT = Duration.ofMillis(100);
    private static final Reason[] REASONS = { Reason.THROTTLED, Reason.UNAVAILABLE, Reason.TIMED_OUT, Reason.ACCESS_DENIED };

    private static final class Observed {
        private final AtomicInteger outcomes = new AtomicInteger();
        private boolean cancelled;
        private Cancellable subscription;
    }

    @Test
    void everyReadHasOneOutcomeAndLeavesNothingBehind() {
        RandomGenerator random = Seeds.random("GeneratedShardReadsTest");
        int hedges = 0;
        int failures = 0;
        for (int i = 0; i < CASES; i++) {
            SimulatedReads reads = runCase(random);
            hedges += reads.hedges.get();
            failures += reads.failures.get();
        }
        assertThat(hedges).isPositive();
        assertThat(failures).isPositive();
    }

    private static SimulatedReads runCase(RandomGenerator random) {
        int maxReads = random.nextInt(1, 5);
        int failing = random.nextInt(0, 8);
        List<SimulatedTime> time = new ArrayList<>();
        SimulatedReads reads = new SimulatedReads(maxReads, 3, 10, random, read -> time.isEmpty()
                ? Uni.createFrom().item(SimulatedReads.page(1))
                : attempt(random, failing, time.get(0)));
        // Makes latencies known and saves up hedges beforehand.
        for (int i = 0; i < WARM_UP; i++) {
            reads.read().assertCompleted();
        }
        time.add(reads.time);
        List<Observed> all = new ArrayList<>();
        for (int step = 0; step < STEPS; step++) {
            switch (random.nextInt(4)) {
                case 0, 1 -> all.add(begin(reads));
                case 2 -> {
                    if (!all.isEmpty()) {
                        cancel(all.get(random.nextInt(all.size())));
                    }
                }
                default -> reads.time.pass(Duration.ofMillis(random.nextInt(20)));
            }
            assertThat(reads.permits.running()).isLessThanOrEqualTo(maxReads);
            assertThat(reads.running.get()).as("two hedges for each").isLessThanOrEqualTo(3 * maxReads);
        }
        reads.time.pass(Duration.ofMinutes(1));
        assertThat(all).allSatisfy(read -> assertThat(read.outcomes.get()).isEqualTo(read.cancelled ? 0 : 1));
        assertThat(reads.running).hasValue(0);
        assertThat(reads.permits.running()).isZero();
        assertThat(reads.permits.waiting()).isZero();
        assertThat(reads.time.isIdle()).isTrue();
        assertThat(reads.attempts.get() - WARM_UP)
                .isLessThanOrEqualTo(all.size() * 3 * (1 + SimulatedReads.MAX_RETRIES));
        return reads;
    }

    private static Observed begin(SimulatedReads reads) {
        Observed read = new Observed();
        read.subscription = reads.prepared().subscribe().with(page -> read.outcomes.incrementAndGet(),
                failure -> read.outcomes.incrementAndGet());
        return read;
    }

    /** Cancels a read; one that has its outcome does not count as cancelled. */
    private static void cancel(Observed read) {
        if (read.outcomes.get() == 0) {
            read.cancelled = true;
        }
        read.subscription.cancel();
    }

    /** A page or a failure: at once, soon, late or only at the attempt's timeout. */
    private static Uni<ShardPage> attempt(RandomGenerator random, int failing, ScheduledExecutorService time) {
        Duration delay = switch (random.nextInt(4)) {
            case 0 -> Duration.ZERO;
            case 1 -> Duration.ofMillis(random.nextInt(1, 5));
            case 2 -> Duration.ofMillis(random.nextInt(5, 50));
            default -> ATTEMPT_TIMEOUT;
        };
        boolean fails = delay.equals(ATTEMPT_TIMEOUT) || random.nextInt(8) < failing;
        Reason reason = delay.equals(ATTEMPT_TIMEOUT) ? Reason.TIMED_OUT : REASONS[random.nextInt(REASONS.length)];
        if (delay.isZero()) {
            return fails ? Uni.createFrom().failure(new GatherException(reason, "at once"))
                    : Uni.createFrom().item(SimulatedReads.page(1));
        }
        return Uni.createFrom().emitter(emitter -> {
            Future<?> outcome = time.schedule(() -> {
                if (fails) {
                    emitter.fail(new GatherException(reason, "later"));
                } else {
                    emitter.complete(SimulatedReads.page(1));
                }
            }, delay.toNanos(), TimeUnit.NANOSECONDS);
            emitter.onTermination(() -> outcome.cancel(false));
        });
    }

    @Test
    void cancellationsThatRaceWithOutcomesLeaveNothingBehind() throws Exception {
        // Given
        RandomGenerator random = Seeds.random("GeneratedShardReadsTest, threads");
        int threads = 4;
        ScheduledExecutorService time = Executors.newScheduledThreadPool(threads);
        ExecutorService clients = Executors.newFixedThreadPool(threads);
        ReadPermits readPermits = ReadPermits.of(3, Integer.MAX_VALUE, Duration.ofMillis(4), System::nanoTime);
        AdmissionQueue permits = readPermits.permits();
        AtomicInteger running = new AtomicInteger();
        List<Observed> all = new ArrayList<>();
        try {
            long tableSeed = random.nextLong();
            AtomicInteger number = new AtomicInteger();
            ShardReader table = read -> Uni.createFrom().deferred(() -> {
                RandomGenerator own = new SplittableRandom(tableSeed + number.incrementAndGet());
                running.incrementAndGet();
                AtomicBoolean ended = new AtomicBoolean();
                return Uni.createFrom().<ShardPage> emitter(emitter -> {
                    boolean fails = own.nextInt(3) == 0;
                    Future<?> unused = time.schedule(() -> {
                        if (fails) {
                            emitter.fail(new GatherException(Reason.THROTTLED, "later"));
                        } else {
                            emitter.complete(SimulatedReads.page(1));
                        }
                    }, own.nextInt(2_000_000), TimeUnit.NANOSECONDS);
                }).onTermination().invoke(() -> {
                    // Mutiny calls this twice if a cancellation races with an outcome.
                    if (!ended.getAndSet(true)) {
                        running.decrementAndGet();
                    }
                });
            });
            ShardReader reader = new ResilientShardReader(table, readPermits,
                    new RetryPolicy(2, Duration.ofMillis(1), Duration.ofMillis(2), () -> new SplittableRandom(1)),
                    new CircuitBreaker(10, 1, 1, System::nanoTime),
                    new Hedging(true, 1, 0.5, Duration.ofMillis(1)),
                    new SharedTimer(time, System::nanoTime), System::nanoTime,
                    new SimulatedReads(1, 1, 1, random, table));
            ShardReader.Read one = SimulatedReads.one();

            // When Created here: Mutiny's first use sets up its context, which two threads cannot do at the same time.
            Uni<ShardPage> prepared = reader.read(one);
            List<Future<List<Observed>>> parts = new ArrayList<>();
            for (int thread = 0; thread < threads; thread++) {
                long seed = random.nextLong();
                parts.add(clients.submit(() -> readAndCancel(prepared, new SplittableRandom(seed))));
            }
            for (Future<List<Observed>> part : parts) {
                all.addAll(part.get());
            }
            await().atMost(Patience.LIMIT).until(() -> permits.running() == 0
                    && all.stream().allMatch(read -> read.cancelled || read.outcomes.get() == 1));
        } finally {
            clients.shutdownNow();
            time.shutdown();
            assertThat(time.awaitTermination(1, TimeUnit.MINUTES)).isTrue();
        }

        // Then
        assertThat(all).allSatisfy(read -> assertThat(read.outcomes.get()).isBetween(read.cancelled ? 0 : 1, 1));
        assertThat(running).hasValue(0);
        assertThat(permits.running()).isZero();
        assertThat(permits.waiting()).isZero();
    }

    private static List<Observed> readAndCancel(Uni<ShardPage> read, RandomGenerator random) {
        List<Observed> own = new ArrayList<>();
        for (int i = 0; i < 300; i++) {
            Observed observed = new Observed();
            own.add(observed);
            observed.subscription = read.subscribe().with(page -> observed.outcomes.incrementAndGet(),
                    failure -> observed.outcomes.incrementAndGet());
            if (random.nextInt(2) == 0) {
                long until = System.nanoTime() + random.nextInt(1_500_000);
                while (System.nanoTime() < until) {
                    Thread.onSpinWait();
                }
                observed.cancelled = true;
                observed.subscription.cancel();
            }
        }
        return own;
    }
}
