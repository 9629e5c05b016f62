package dev.windrow.gather.fanout;

import java.time.Duration;
import java.util.Optional;
import java.util.function.LongSupplier;

import io.smallrye.mutiny.Uni;

/**
 * Asks a shard that is slower than most a second time and takes the answer that comes first; the other request is given
 * up. An answer needs every shard, so with many shards the slowest of them would set the pace of all answers. Reads change
 * nothing, so asking twice is safe; a budget keeps the extra load small, also when all shards are slow.
 */
final class HedgedShardReader implements ShardReader {

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
            Optional<Duration> slow = latencies.slow();
            Uni<ShardPage> first = timed(read);
            return slow.map(delay -> Uni.combine().any().of(first, second(read, delay))).orElse(first);
        });
    }

    private Uni<ShardPage> timed(Read read) {
        return Uni.createFrom().deferred(() -> {
            long begun = nanoClock.getAsLong();
            return reader.read(read).onItem().invoke(page -> latencies.add(nanoClock.getAsLong() - begun));
        });
    }

    /** The second request, if there is reason and budget for it; it never ends where it cannot help. */
    private Uni<ShardPage> second(Read read, Duration delay) {
        return Uni.createFrom().item(read).onItem().delayIt().by(delay).onItem().transformToUni(again -> {
            if (!budget.take()) {
                return Uni.createFrom().<ShardPage> nothing();
            }
            onHedge.run();
            return timed(again).onFailure().recoverWithUni(() -> Uni.createFrom().nothing());
        });
    }
}
