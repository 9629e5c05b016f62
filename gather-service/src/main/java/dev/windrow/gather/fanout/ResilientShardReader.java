package dev.windrow.gather.fanout;

import java.util.function.LongSupplier;

import dev.windrow.base.Bulkhead;
import dev.windrow.base.CircuitBreaker;
import dev.windrow.base.SharedTimer;
import io.smallrye.mutiny.Uni;

/**
 * Reads shards with bounded concurrency, retries, a circuit breaker and hedges. Holds what all reads have in common; a
 * {@link ShardRead} is one of them. The shards share one circuit breaker: they are one table.
 */
final class ResilientShardReader implements ShardReader {

    private final ShardReader table;
    private final ReadPermits permits;
    private final RetryPolicy retries;
    private final CircuitBreaker breaker;
    private final HedgePolicy hedges;
    private final SharedTimer timer;
    private final LongSupplier nanoTime;
    private final ReadListener listener;

    /**
     * @param table makes one attempt per read
     * @param permits of reads; hedges take none, as there are few
     * @param timer starts hedges and retries
     * @param nanoTime a monotonic clock
     */
    ResilientShardReader(ShardReader table, ReadPermits permits, RetryPolicy retries, CircuitBreaker breaker,
            HedgePolicy hedges,
            SharedTimer timer, LongSupplier nanoTime, ReadListener listener) {
        this.table = table;
        this.permits = permits;
        this.retries = retries;
        this.breaker = breaker;
        this.hedges = hedges;
        this.timer = timer;
        this.nanoTime = nanoTime;
        this.listener = listener;
    }

    @Override
    public Uni<ShardPage> read(Read read) {
        return read(read, this);
    }

    @Override
    public ShardReader ofQuery() {
        Object query = new Object();
        return read -> read(read, query);
    }

    private Uni<ShardPage> read(Read read, Object query) {
        return Uni.createFrom().emitter(emitter -> new ShardRead(this, query, read, emitter).submit());
    }

    ShardReader table() {
        return table;
    }

    Bulkhead permits() {
        return permits.permits();
    }

    /** Notes how long an attempt took that was answered, or failed. */
    void took(long nanos) {
        permits.limit().answered(nanos, permits().running());
    }

    RetryPolicy retries() {
        return retries;
    }

    CircuitBreaker breaker() {
        return breaker;
    }

    HedgePolicy hedges() {
        return hedges;
    }

    SharedTimer timer() {
        return timer;
    }

    long nanoTime() {
        return nanoTime.getAsLong();
    }

    ReadListener listener() {
        return listener;
    }
}
