package dev.windrow.gather.read;

import java.util.function.LongSupplier;

import dev.windrow.base.CircuitBreaker;
import dev.windrow.base.SharedTimer;
import io.smallrye.mutiny.Uni;

/**
 * Reads shards with bounded concurrency, retries, a circuit breaker and hedges. Holds the state that all reads share; a
 * {@link HedgedRead} is one of them. The shards share one circuit breaker because they are one table.
 *
 * @param table makes one attempt per read
 * @param permits of reads; hedges take none, as there are few
 * @param timer starts hedges and retries
 */
public record ResilientShardReader(ShardReader table, ReadPermits permits, RetryPolicy retries, CircuitBreaker breaker,
        Hedging hedges, SharedTimer timer, LongSupplier nanoTime, ReadListener listener) implements ShardReader {

    @Override
    public Uni<ShardPage> read(Read read) {
        return ofQuery().read(read);
    }

    @Override
    public ShardReader ofQuery() {
        Object query = new Object();
        return read -> Uni.createFrom().emitter(emitter -> new HedgedRead(this, query, read, emitter).submit());
    }

    /** Records how long an attempt took to be answered or to fail. */
    void took(long nanos) {
        permits.limit().answered(nanos, permits.permits().running());
    }
}
