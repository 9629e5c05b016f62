package dev.windrow.base;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;
import java.util.random.RandomGenerator;

import org.junit.jupiter.api.Test;

import dev.windrow.testing.GeneratedCases;
import dev.windrow.testing.Seeds;

class CircuitBreakerTest {

    private static final int WINDOW = 10;
    private static final long OPEN_NANOS = 1_000;
    private static final int CASES = GeneratedCases.count("windrow.breaker.cases", 300, 3_000);

    private final AtomicLong nanos = new AtomicLong(Long.MAX_VALUE - 100);
    private final CircuitBreaker breaker = new CircuitBreaker(WINDOW, 0.5, OPEN_NANOS, nanos::get);

    @Test
    void resultsOfEarlierCallsAreIgnored() {
        // Given calls from before it opened
        List<Long> early = new ArrayList<>();
        for (int i = 0; i < 2 * WINDOW; i++) {
            early.add(breaker.tryCall());
        }
        calls(0, WINDOW);

        // When they succeed while it is open
        early.forEach(breaker::succeeded);
        early.forEach(breaker::givenUp);

        // Then
        assertThat(isOpen()).isTrue();

        // And when they fail after it has closed
        pass();
        breaker.succeeded(breaker.tryCall());
        early.forEach(breaker::failed);

        // Then
        assertThat(isOpen()).isFalse();
    }

    @Test
    void doesAsASimpleModelDoes() {
        RandomGenerator random = Seeds.random("CircuitBreakerTest");
        for (int i = 0; i < CASES; i++) {
            runCase(random);
        }
    }

    private record Result(long nanos, boolean failure) {
    }

    private static void runCase(RandomGenerator random) {
        int window = random.nextInt(1, 8);
        double ratio = random.nextInt(1, 5) / 4.0;
        AtomicLong now = new AtomicLong(random.nextLong());
        CircuitBreaker generated = new CircuitBreaker(window, ratio, 10, now::get);
        Deque<Result> results = new ArrayDeque<>();
        long openSince = 0;
        boolean open = false;
        for (int step = 0; step < 200; step++) {
            now.addAndGet(random.nextInt(10) == 0 ? random.nextLong(2 * CircuitBreaker.RESULT_NANOS) : random.nextInt(6));
            boolean trial = open && now.get() - openSince >= 10;
            long permission = generated.tryCall();
            assertThat(permission == CircuitBreaker.REJECTED).isEqualTo(open && !trial);
            boolean failure = random.nextBoolean();
            int kind = random.nextInt(4);
            if (permission == CircuitBreaker.REJECTED) {
                continue;
            }
            if (kind == 0) {
                generated.givenUp(permission);
                continue;
            }
            if (failure) {
                generated.failed(permission);
            } else {
                generated.succeeded(permission);
            }
            if (trial) {
                results.clear();
                open = failure;
            } else {
                results.add(new Result(now.get(), failure));
                results.removeIf(result -> now.get() - result.nanos() >= CircuitBreaker.RESULT_NANOS);
                while (results.size() > window) {
                    results.remove();
                }
                open = failure && results.size() == window
                        && results.stream().filter(Result::failure).count() >= ratio * window;
            }
            if (open) {
                openSince = now.get();
                results.clear();
            }
        }
    }

    @Test
    void ofManyThreadsOneMakesTheTrial() throws Exception {
        // Given
        int threads = 8;
        int rounds = 200;
        CyclicBarrier start = new CyclicBarrier(threads);
        AtomicLong trials = new AtomicLong();
        calls(0, WINDOW);
        ExecutorService pool = Executors.newFixedThreadPool(threads);
        try {
            // When
            List<Future<?>> all = new ArrayList<>();
            for (int thread = 0; thread < threads; thread++) {
                int number = thread;
                all.add(pool.submit(() -> {
                    for (int round = 0; round < rounds; round++) {
                        if (number == 0) {
                            pass();
                        }
                        start.await();
                        long permission = breaker.tryCall();
                        start.await();
                        if (permission != CircuitBreaker.REJECTED) {
                            trials.incrementAndGet();
                            breaker.failed(permission);
                        }
                        start.await();
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
        assertThat(trials).hasValue(rounds);
    }

    private void calls(int succeeding, int failing) {
        for (int i = 0; i < succeeding; i++) {
            breaker.succeeded(breaker.tryCall());
        }
        for (int i = 0; i < failing; i++) {
            breaker.failed(breaker.tryCall());
        }
    }

    private void pass() {
        nanos.addAndGet(OPEN_NANOS);
    }

    /** Leaves it as it was. */
    private boolean isOpen() {
        long permission = breaker.tryCall();
        if (permission != CircuitBreaker.REJECTED) {
            breaker.givenUp(permission);
        }
        return permission == CircuitBreaker.REJECTED;
    }
}
