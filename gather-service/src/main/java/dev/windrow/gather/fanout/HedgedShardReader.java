package dev.windrow.gather.fanout;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongSupplier;

import org.jspecify.annotations.Nullable;

import dev.windrow.time.SharedTimer;
import io.smallrye.mutiny.Uni;
import io.smallrye.mutiny.subscription.Cancellable;
import io.smallrye.mutiny.subscription.UniEmitter;

/**
 * Reads a shard that is slower than most a second time and takes the first answer; the other requests are abandoned. An
 * answer needs every shard, so with many shards the slowest of them would set the pace of all answers. Where one read in a
 * hundred is slow, one answer of a hundred shards in a hundred meets a slow hedge: that is hedged as well. Reads change
 * nothing, so reading twice is safe; a budget keeps the extra load small, also when all shards are slow.
 */
final class HedgedShardReader implements ShardReader {

    private static final int MAX_HEDGES = 2;

    private final ShardReader reader;
    private final HedgeBudget budget;
    private final LatencyQuantile latencies;
    private final LongSupplier nanoClock;
    private final SharedTimer timer;
    private final Runnable onHedge;

    /**
     * @param timer starts hedges
     * @param onHedge called for each hedged read
     */
    HedgedShardReader(ShardReader reader, HedgeBudget budget, LatencyQuantile latencies, LongSupplier nanoClock,
            SharedTimer timer, Runnable onHedge) {
        this.reader = reader;
        this.budget = budget;
        this.latencies = latencies;
        this.nanoClock = nanoClock;
        this.timer = timer;
        this.onHedge = onHedge;
    }

    @Override
    public Uni<ShardPage> read(Read read) {
        return Uni.createFrom().deferred(() -> {
            budget.earn();
            return latencies.slow().map(delay -> raced(read, delay)).orElseGet(() -> timed(read));
        });
    }

    private Uni<ShardPage> raced(Read read, Duration delay) {
        return Uni.createFrom().emitter(emitter -> new Race(read, delay, emitter).begin());
    }

    private Uni<ShardPage> timed(Read read) {
        return Uni.createFrom().deferred(() -> {
            long begun = nanoClock.getAsLong();
            return reader.read(read).onItem().invoke(page -> latencies.add(nanoClock.getAsLong() - begun));
        });
    }

    /** A request and, should all so far be slow, further ones; the first answer ends it, and the first request's failure. */
    private final class Race {

        private final Read read;
        private final Duration delay;
        private final UniEmitter<? super ShardPage> emitter;
        private final List<Cancellable> running = new ArrayList<>(2);
        private SharedTimer.@Nullable Timeout nextLook;
        private int hedges;
        private boolean ended;

        Race(Read read, Duration delay, UniEmitter<? super ShardPage> emitter) {
            this.read = read;
            this.delay = delay;
            this.emitter = emitter;
        }

        void begin() {
            emitter.onTermination(this::end);
            keep(timed(read).subscribe().with(this::answer, failure -> {
                end();
                emitter.fail(failure);
            }));
            lookAfter(delay);
        }

        /** The others are given up first, as what follows an answer may take its time. */
        private void answer(ShardPage page) {
            end();
            emitter.complete(page);
        }

        private void lookAfter(Duration wait) {
            if (!hasEnded()) {
                SharedTimer.Timeout begun = timer.after(wait, () -> look(wait));
                synchronized (this) {
                    nextLook = begun;
                }
                if (hasEnded()) {
                    begun.cancel();
                }
            }
        }

        /**
         * Reads again if there is budget. Where it is used up there is another look later: reads that are just a little late
         * have ended by then, and this one has not. The longer it takes, the less often it is looked at.
         */
        private void look(Duration waited) {
            if (hasEnded()) {
                return;
            }
            if (!budget.take()) {
                lookAfter(waited.multipliedBy(2));
                return;
            }
            onHedge.run();
            hedges++;
            // A hedge that fails helps no one, and does no harm.
            keep(timed(read).subscribe().with(this::answer, failure -> {
            }));
            if (hedges < MAX_HEDGES) {
                lookAfter(delay);
            }
        }

        private void keep(Cancellable begun) {
            boolean late;
            synchronized (this) {
                late = ended;
                running.add(begun);
            }
            if (late) {
                begun.cancel();
            }
        }

        private synchronized boolean hasEnded() {
            return ended;
        }

        private void end() {
            List<Cancellable> left;
            SharedTimer.Timeout next;
            synchronized (this) {
                ended = true;
                left = List.copyOf(running);
                next = nextLook;
            }
            left.forEach(Cancellable::cancel);
            if (next != null) {
                next.cancel();
            }
        }
    }
}
