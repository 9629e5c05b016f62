package dev.windrow.writer.store;

import java.util.Map;

import io.smallrye.mutiny.Uni;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** Records reads that fail, so that readiness shows a missing permission. */
public final class HealthTrackingReads implements TableReads {

    private final TableReads reads;
    private final TableHealth health;

    public HealthTrackingReads(TableReads reads, TableHealth health) {
        this.reads = reads;
        this.health = health;
    }

    @Override
    public Uni<Map<String, AttributeValue>> read(String partitionKey, String sortKey) {
        return reads.read(partitionKey, sortKey).onFailure(WriteFailedException.class)
                .invoke(health::failed);
    }
}
