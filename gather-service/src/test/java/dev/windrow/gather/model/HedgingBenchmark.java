package dev.windrow.gather.model;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.random.RandomGenerator;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import dev.windrow.local.fault.FaultPlan;
import dev.windrow.local.fault.FaultProxy;
import io.quarkus.test.common.http.TestHTTPResource;
import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.TestProfile;

/**
 * What a slow shard costs: the latency of answers over 100 shards, first as it is, then with one shard of each answer,
 * drawn at random, 20 times slower than the others when it is first asked. Both are measured in one run, so that their ratio
 * means something on any
 * machine. Too slow and too dependent on its machine for each build; run it with
 *
 * <pre>
 * ./mvnw -pl gather-service -am test -Dtest=HedgingBenchmark -Dsurefire.failIfNoSpecifiedTests=false
 * </pre>
 *
 * and see {@code gather-service/target/surefire-reports/*HedgingBenchmark-output.txt}.
 */
@QuarkusTest
@TestProfile(ModelProfile.class)
class HedgingBenchmark {

    private static final int WARM_UP = Integer.getInteger("windrow.benchmark.warm-up", 100);
    private static final int ANSWERS = Integer.getInteger("windrow.benchmark.answers", 300);
    private static final int SHARDS = 100;
    private static final int NONE = -1;
    private static final int TIMES_SLOWER = 20;

    /** Stands for the latency of the real table; long beside that of the embedded one, which shares the machine's cores. */
    private static final Duration READ = Duration.ofMillis(100);

    @TestHTTPResource("/")
    URI service;

    FaultProxy proxy;

    private final ModelDataset dataset = World.dataset("hundred");
    private int asked;
    private GatherClient client;

    @BeforeEach
    void connect() {
        client = new GatherClient(service);
    }

    @AfterEach
    void heal() {
        proxy.use(FaultPlan.none());
    }

    @Test
    @Timeout(600)
    void aSlowShardCostsLittle() {
        FaultPlan normal = FaultPlan.slow(key -> true, READ);
        RandomGenerator random = World.random(11);
        AtomicInteger slow = new AtomicInteger(NONE);
        FaultPlan slowed = FaultPlan.slow(key -> isShard(slow.get(), key) && slow.getAndSet(NONE) != NONE,
                READ.multipliedBy(TIMES_SLOWER));
        proxy.use(normal);
        latencies(WARM_UP, () -> {
        });

        long[] before = latencies(ANSWERS, () -> {
        });
        proxy.use(slowed.or(normal));
        double hedgesBefore = client.metric("windrow_gather_hedged_reads_total");
        long readsBefore = proxy.audit().requests("Query");
        long[] after = latencies(ANSWERS, () -> slow.set(random.nextInt(SHARDS)));
        double hedges = client.metric("windrow_gather_hedged_reads_total") - hedgesBefore;
        double extra = hedges / (proxy.audit().requests("Query") - readsBefore - hedges);

        double ratio = (double) quantile(after, 0.99) / quantile(before, 0.99);
        System.out.printf("normal: p50 %.1f ms, p99 %.1f ms; one of 100 shards %d times slower: p50 %.1f ms, p99 %.1f ms;"
                + " p99 ratio %.2f; extra reads %.2f %%%n", millis(before, 0.5), millis(before, 0.99), TIMES_SLOWER,
                millis(after, 0.5), millis(after, 0.99), ratio, 100 * extra);
        assertThat(extra).isLessThanOrEqualTo(0.05);
        assertThat(ratio).isLessThanOrEqualTo(2);
    }

    private static boolean isShard(int number, String partitionKey) {
        return partitionKey.endsWith("#" + number);
    }

    private long[] latencies(int count, Runnable beforeEach) {
        long[] nanos = new long[count];
        for (int i = 0; i < count; i++) {
            Query query = Query.of("hundred/buckets", "granularity", dataset.index().get(0), "limit", "1000", "timeout",
                    "30s", "to", Long.toString(4_000_000_000L + asked++));
            beforeEach.run();
            long begun = System.nanoTime();
            Response answer = client.answered(query);
            nanos[i] = System.nanoTime() - begun;
            assertThat(answer.isComplete()).isTrue();
        }
        Arrays.sort(nanos);
        return nanos;
    }

    private static long quantile(long[] sorted, double quantile) {
        return sorted[(int) Math.min(sorted.length - 1L, (long) (quantile * sorted.length))];
    }

    private static double millis(long[] sorted, double quantile) {
        return quantile(sorted, quantile) / 1e6;
    }
}
