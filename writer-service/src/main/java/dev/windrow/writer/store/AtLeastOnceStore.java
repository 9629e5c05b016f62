package dev.windrow.writer.store;

import java.util.ArrayList;
import java.util.List;

import org.jspecify.annotations.Nullable;

import dev.windrow.reason.Reason;
import dev.windrow.writer.aggregate.BucketUpsert;
import dev.windrow.writer.aggregate.Contribution;
import dev.windrow.writer.aggregate.SeriesBatch;
import dev.windrow.writer.inflight.pending.ContributionOutcome;
import io.smallrye.mutiny.Uni;

/**
 * One plain update per bucket. A share that failed in one bucket may be in others, and a write whose answer was lost may
 * have been applied: either is counted again when it is repeated. So it can count too much, never too little.
 */
public final class AtLeastOnceStore implements BucketStore {

    private static final int CONCURRENCY = 16;

    private final TableWrites writes;
    private final BucketUpdates updates;
    private final Extremes extremes;

    public AtLeastOnceStore(TableWrites writes, BucketUpdates updates, ExtremesCache known) {
        this.writes = writes;
        this.updates = updates;
        this.extremes = new Extremes(writes, updates, known);
    }

    @Override
    public Uni<List<ContributionOutcome>> apply(SeriesBatch batch) {
        List<BucketUpsert> upserts = batch.upserts();
        return Uni.createFrom().deferred(() -> extremes.write(batch))
                .chain(() -> Uni.join().all(upserts.stream().map(upsert -> add(batch, upsert)).toList())
                        .usingConcurrencyOf(CONCURRENCY).andFailFast())
                .map(results -> outcomes(batch, upserts, results))
                .onFailure().recoverWithItem(failure -> Failures.all(batch, failure));
    }

    private Uni<ContributionOutcome> add(SeriesBatch batch, BucketUpsert upsert) {
        return Uni.createFrom().deferred(() -> {
            BucketUpdate update = updates.additive(batch.plan(), batch.series(), batch.partitionKey(), upsert);
            return update == null ? Uni.createFrom().item(ContributionOutcome.APPLIED)
                    : add(batch, upsert, update, 0).replaceWith(ContributionOutcome.APPLIED);
        }).onFailure().recoverWithItem(Failures::of);
    }

    /** @param restores how often the item had lost the extremes that it was thought to hold */
    private Uni<WriteResult> add(SeriesBatch batch, BucketUpsert upsert, BucketUpdate update, int restores) {
        return writes.write(TableWrite.single(update)).onFailure(ConditionFailedException.class)
                .recoverWithUni(failure -> restores == ExactlyOnceStore.MAX_RESTORES
                        ? Uni.createFrom().failure(() -> new WriteFailedException(Reason.CONTENTION,
                                "expected an item that keeps its extremes, found " + restores + " times another"))
                        : extremes.restore(batch, List.of(upsert)).chain(() -> add(batch, upsert, update, restores + 1)));
    }

    private static List<ContributionOutcome> outcomes(SeriesBatch batch, List<BucketUpsert> upserts,
            List<ContributionOutcome> results) {
        List<ContributionOutcome> outcomes = new ArrayList<>(batch.shares().size());
        for (Contribution share : batch.shares()) {
            ContributionOutcome failure = failure(share, upserts, results);
            outcomes.add(failure == null ? ContributionOutcome.APPLIED : failure);
        }
        return outcomes;
    }

    private static @Nullable ContributionOutcome failure(Contribution share, List<BucketUpsert> upserts,
            List<ContributionOutcome> results) {
        for (int i = 0; i < results.size(); i++) {
            if (results.get(i) instanceof ContributionOutcome.Failed failed && share.touches(upserts.get(i))) {
                return failed;
            }
        }
        return null;
    }
}
