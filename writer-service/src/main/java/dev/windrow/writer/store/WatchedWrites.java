package dev.windrow.writer.store;

import io.smallrye.mutiny.Uni;

/** Notes how writes end, so that it is known whether the table takes any. */
public final class WatchedWrites implements TableWrites {

    private final TableWrites writes;
    private final TableHealth health;

    public WatchedWrites(TableWrites writes, TableHealth health) {
        this.writes = writes;
        this.health = health;
    }

    @Override
    public Uni<WriteReceipt> write(TableWrite write) {
        return writes.write(write)
                .invoke(() -> health.succeeded())
                .onFailure().invoke(this::failed);
    }

    private void failed(Throwable failure) {
        if (failure instanceof ConditionFailedException) {
            health.succeeded();
        } else if (failure instanceof WriteFailedException write) {
            health.failed(write);
        }
    }
}
