package dev.windrow.gather.fanout;

import java.time.Duration;
import java.util.function.LongSupplier;

import io.smallrye.mutiny.Uni;

/**
 * Asks a shard that is slower than most again and takes the answer that comes first; the other requests are given up. An
 * answer needs every shard, so with many shards the slowest of them would set the pace of all answers. Where one read in a
 * hundred is slow, one answer of a hundred shards in a hundred meets a slow hedge: that is hedged as well. Reads change
 * nothing, so asking twice is safe; a budget keeps the extra load small, also when all shards are slow.
 */
final class HedgedShardReader implements ShardReader {

    private static final int MOST_HEDGES = 2;

    private final ShardReader reader;
    private final HedgeBudget budget;
    private final Latencies latencies;
    private final LongSupplier nanoClock;
    private final Runnable onHedge;

    /** @param onHedge told of each second request */
    HedgedShardReader(ShardReader reader, HedgeBudget budget, Latencies latencies, LongSupplier nanoClock, Runnable onHedge) {
        this.reader = reader;
        this.budget = budget;
        this.latencies = latencies;
        this.nanoClock = nanoClock;
        this.onHedge = onHedge;
    }

    @Override
    public Uni<ShardPage> read(Read read) {
        return Uni.createFrom().deferred(() -> {
            budget.earn();
            return latencies.slow().map(delay -> raced(read, delay, MOST_HEDGES)).orElseGet(() -> timed(read));
        });
    }

    /** A request and, should it be slow, further ones, each of which may be slow as well. */
    private Uni<ShardPage> raced(Read read, Duration delay, int mostHedges) {
        Uni<ShardPage> first = timed(read);
        return mostHedges == 0 ? first : Uni.combine().any().of(first, hedge(read, delay, mostHedges - 1));
    }

    private Uni<ShardPage> timed(Read read) {
        return Uni.createFrom().deferred(() -> {
            long begun = nanoClock.getAsLong();
            return reader.read(read).onItem().invoke(page -> latencies.add(nanoClock.getAsLong() - begun));
        });
    }

    /**
     * The next request, once there is reason and budget for it; it never ends where it cannot help. Where the budget is used
     * up there is another look later: reads that are just a little late have ended by then, and this one has not.
     */
    private Uni<ShardPage> hedge(Read read, Duration delay, int mostFurther) {
        return Uni.createFrom().item(read).onItem().delayIt().by(delay).onItem().transformToUni(again -> {
            if (!budget.take()) {
                return hedge(again, delay, mostFurther);
            }
            onHedge.run();
            return raced(again, delay, mostFurther).onFailure().recoverWithUni(() -> Uni.createFrom().nothing());
        });
    }
}
