package dev.windrow.gather.read;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.random.RandomGenerator;

import dev.windrow.base.AdmissionQueue;
import dev.windrow.base.CircuitBreaker;
import dev.windrow.base.SharedTimer;
import dev.windrow.dataset.Dataset;
import dev.windrow.gather.fanout.GatherRequest;
import dev.windrow.gather.testing.SimulatedTime;
import io.smallrye.mutiny.Uni;
import io.smallrye.mutiny.helpers.test.UniAssertSubscriber;

/** Reads of a table simulated by the test, in simulated time, with the same layers around them as in production. */
final class SimulatedReads implements ReadListener {

    static final int MAX_RETRIES = 3;
    static final Duration SLOW = Duration.ofMillis(5);
    /** Longer than any pause before a retry. */
    static final Duration PAUSE = Duration.ofMillis(200);
    static final Duration OPEN = Duration.ofSeconds(2);
    private static final Duration ATTEMPT_TIMEOUT = Duration.ofSeconds(2);
    private static final Duration BACKOFF = Duration.ofMillis(20);

    final SimulatedTime time = new SimulatedTime();
    final AdmissionQueue permits;
    final Hedging hedging = new Hedging(true, 0.05, 0.95, SLOW);
    final AtomicInteger attempts = new AtomicInteger();
    final AtomicInteger running = new AtomicInteger();
    final AtomicInteger answered = new AtomicInteger();
    final AtomicInteger failures = new AtomicInteger();
    final AtomicInteger hedges = new AtomicInteger();
    private final ShardReader reader;

    SimulatedReads(int maxReads, int maxWaiting, int breakerReads, RandomGenerator random, ShardReader table) {
        ReadPermits readPermits = ReadPermits.of(maxReads, maxWaiting, ATTEMPT_TIMEOUT, time::nanos);
        permits = readPermits.permits();
        RetryPolicy retries = new RetryPolicy(MAX_RETRIES, BACKOFF, PAUSE, () -> random);
        reader = new ResilientShardReader(counted(table), readPermits, retries,
                new CircuitBreaker(breakerReads, 0.5, OPEN.toNanos(), time::nanos),
                hedging, new SharedTimer(time, time::nanos),
                time::nanos, this);
    }

    private ShardReader counted(ShardReader table) {
        return one -> Uni.createFrom().deferred(() -> {
            attempts.incrementAndGet();
            running.incrementAndGet();
            return table.read(one).onTermination().invoke(running::decrementAndGet);
        });
    }

    UniAssertSubscriber<ShardPage> read() {
        return reader.read(one()).subscribe().withSubscriber(UniAssertSubscriber.create());
    }

    Uni<ShardPage> prepared() {
        return reader.read(one());
    }

    static ShardReader.Read one() {
        GatherRequest request = new FakeShards(1, 1).request(1, true);
        return new ShardReader.Read(request.scope().dataset(), request.plan().stages().get(0).shards().get(0),
                Optional.empty(), 1);
    }

    static ShardPage page(int scanned) {
        return new ShardPage(List.of(), Optional.empty(), scanned, 0);
    }

    @Override
    public void read(Dataset dataset, long tookNanos, ShardPage page) {
        answered.incrementAndGet();
    }

    @Override
    public void failed(Throwable failure) {
        failures.incrementAndGet();
    }

    @Override
    public void hedged() {
        hedges.incrementAndGet();
    }
}
