package dev.windrow.writer.store;

import io.smallrye.mutiny.Uni;

/** Records how writes end, so that readiness shows whether the table accepts any. */
public final class HealthTrackingWrites implements TableWrites {

    private final TableWrites writes;
    private final TableHealth health;

    public HealthTrackingWrites(TableWrites writes, TableHealth health) {
        this.writes = writes;
        this.health = health;
    }

    @Override
    public Uni<WriteResult> write(TableWrite write) {
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
