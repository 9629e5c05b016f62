package dev.windrow.gather.fanout;

import java.time.Duration;

import io.smallrye.mutiny.Uni;

/** Counts and times reads. */
final class MeteredShardReader implements ShardReader {

    private final ShardReader reader;
    private final GatherMetrics metrics;

    MeteredShardReader(ShardReader reader, GatherMetrics metrics) {
        this.reader = reader;
        this.metrics = metrics;
    }

    @Override
    public Uni<ShardPage> read(Read read) {
        return Uni.createFrom().deferred(() -> {
            long begun = System.nanoTime();
            return reader.read(read)
                    .onItem().invoke(page -> metrics.read(read.dataset(),
                            Duration.ofNanos(System.nanoTime() - begun), page))
                    .onFailure().invoke(metrics::failed);
        });
    }
}
