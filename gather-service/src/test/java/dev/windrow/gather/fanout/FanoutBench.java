package dev.windrow.gather.fanout;

import java.time.Clock;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicInteger;

import org.junit.jupiter.api.Test;

import io.smallrye.mutiny.Uni;
import io.smallrye.mutiny.infrastructure.Infrastructure;

/**
 * Measures hedging: answers of 100 shards, of which one at random is 20 times slower, with hedges and without. Runs only when
 * named ({@code -Dtest=FanoutBench}) and asserts nothing about time.
 */
class FanoutBench {

    private static final int ROUNDS = 300;
    private static final int WARM_UP = 100;

    /** Prints the 99th percentile of all-normal, one-slow and one-slow-hedged answers, and the share of extra reads. */
    @Test
    void hedgingOfOneSlowShardInAHundred() {
        long normal = percentile99(new SlowShards(0), false);
        long slow = percentile99(new SlowShards(20), false);
        SlowShards shards = new SlowShards(20);
        long hedged = percentile99(shards, true);
        System.out.printf("p99: normal %.1f ms, one slow %.1f ms, hedged %.1f ms, ratio %.2f, extra reads %.2f %%%n",
                normal / 1e6, slow / 1e6, hedged / 1e6, (double) hedged / normal,
                100.0 * (shards.reads.get() - 100L * (ROUNDS + WARM_UP)) / (100L * (ROUNDS + WARM_UP)));
    }

    private static long percentile99(SlowShards shards, boolean hedge) {
        ShardReader reader = hedge
                ? new HedgedShardReader(shards, new HedgeBudget(0.05), new LatencyQuantile(0.95, Duration.ofMillis(5)),
                        System::nanoTime, () -> {
                        })
                : shards;
        Gatherer gatherer = new Gatherer(reader, new FanoutLimits(128, 8, 8, 8, Duration.ofSeconds(30), 20_000),
                Clock.systemUTC(), Infrastructure.getDefaultWorkerPool());
        long[] nanos = new long[ROUNDS];
        for (int round = -WARM_UP; round < ROUNDS; round++) {
            shards.next();
            long start = System.nanoTime();
            gatherer.list(new FakeShards(100, 1).request(Long.MAX_VALUE, true)).await().atMost(Duration.ofSeconds(30));
            if (round >= 0) {
                nanos[round] = System.nanoTime() - start;
            }
        }
        Arrays.sort(nanos);
        return nanos[ROUNDS * 99 / 100];
    }

    /** A hundred shards that take 10 to 20 ms, but one, drawn for each answer, so many times as long at first asking. */
    private static final class SlowShards implements ShardReader {
        private final SplittableRandom random = new SplittableRandom(7);
        private final AtomicInteger reads = new AtomicInteger();
        private final int factor;
        private final AtomicInteger slow = new AtomicInteger(-1);

        SlowShards(int factor) {
            this.factor = factor;
        }

        synchronized void next() {
            slow.set(factor > 0 ? random.nextInt(100) : -1);
        }

        private synchronized int millis() {
            return 10 + random.nextInt(11);
        }

        @Override
        public Uni<ShardPage> read(Read read) {
            return Uni.createFrom().deferred(() -> {
                reads.incrementAndGet();
                boolean isSlow = slow.compareAndSet(read.query().shard(), -1);
                return Uni.createFrom().item(new ShardPage(List.of(), Optional.empty(), 0, 0.5))
                        .onItem().delayIt().by(Duration.ofMillis((long) millis() * (isSlow ? factor : 1)));
            });
        }
    }
}
