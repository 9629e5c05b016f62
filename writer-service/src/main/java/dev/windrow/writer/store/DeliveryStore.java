package dev.windrow.writer.store;

import java.util.List;

import dev.windrow.writer.aggregate.SeriesBatch;
import dev.windrow.writer.inflight.pending.ContributionOutcome;
import io.smallrye.mutiny.Uni;

/** Writes each dataset with its delivery guarantee. */
public final class DeliveryStore implements BucketStore {

    private final BucketStore exactlyOnce;
    private final BucketStore atLeastOnce;

    public DeliveryStore(BucketStore exactlyOnce, BucketStore atLeastOnce) {
        this.exactlyOnce = exactlyOnce;
        this.atLeastOnce = atLeastOnce;
    }

    @Override
    public Uni<List<ContributionOutcome>> apply(SeriesBatch batch) {
        return switch (batch.plan().dataset().delivery()) {
            case EXACTLY_ONCE -> exactlyOnce.apply(batch);
            case AT_LEAST_ONCE -> atLeastOnce.apply(batch);
        };
    }
}
