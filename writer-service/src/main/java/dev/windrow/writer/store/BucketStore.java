package dev.windrow.writer.store;

import java.util.List;

import dev.windrow.writer.aggregate.SeriesBatch;
import dev.windrow.writer.inflight.pending.ContributionOutcome;
import io.smallrye.mutiny.Uni;

/** Where contributions are kept. */
public interface BucketStore {

    /**
     * Applies the shares of a series.
     *
     * @return what became of each share, in order; the Uni itself fails only by a fault of the program
     */
    Uni<List<ContributionOutcome>> apply(SeriesBatch batch);
}
