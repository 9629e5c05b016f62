package dev.windrow.gather.fanout;

import dev.windrow.admission.Bulkhead;
import io.smallrye.mutiny.Uni;

/** Bounds how many reads run at once. */
public final class BoundedShardReader implements ShardReader {

    private final ShardReader reader;
    private final Bulkhead permits;

    public BoundedShardReader(ShardReader reader, Bulkhead permits) {
        this.reader = reader;
        this.permits = permits;
    }

    @Override
    public Uni<ShardPage> read(Read read) {
        return permits.run(() -> reader.read(read));
    }
}
