package dev.windrow.writer.store;

import java.util.ArrayList;
import java.util.List;

import dev.windrow.writer.aggregate.Contribution;
import dev.windrow.writer.aggregate.SeriesBatch;
import dev.windrow.writer.inflight.pending.ContributionOutcome;
import io.smallrye.mutiny.Uni;

/**
 * Finds the share that spoils a batch: shares that failed for good together are tried again in halves, until those that
 * fail alone are known and all others are applied.
 */
public final class BisectingStore implements BucketStore {

    private final BucketStore store;

    public BisectingStore(BucketStore store) {
        this.store = store;
    }

    @Override
    public Uni<List<ContributionOutcome>> apply(SeriesBatch batch) {
        return store.apply(batch).chain(outcomes -> {
            List<Integer> suspects = new ArrayList<>();
            for (int i = 0; i < outcomes.size(); i++) {
                if (outcomes.get(i) instanceof ContributionOutcome.Failed failed && failed.isFinal()) {
                    suspects.add(i);
                }
            }
            return suspects.isEmpty() || batch.shares().size() == 1 ? Uni.createFrom().item(outcomes)
                    : halves(batch, outcomes, suspects);
        });
    }

    private Uni<List<ContributionOutcome>> halves(SeriesBatch batch, List<ContributionOutcome> outcomes,
            List<Integer> suspects) {
        int middle = (suspects.size() + 1) / 2;
        List<ContributionOutcome> merged = new ArrayList<>(outcomes);
        return half(batch, merged, suspects.subList(0, middle))
                .chain(() -> half(batch, merged, suspects.subList(middle, suspects.size())))
                .replaceWith(merged);
    }

    private Uni<Void> half(SeriesBatch batch, List<ContributionOutcome> merged, List<Integer> positions) {
        if (positions.isEmpty()) {
            return Uni.createFrom().voidItem();
        }
        List<Contribution> shares = positions.stream().map(batch.shares()::get).toList();
        return apply(new SeriesBatch(shares)).invoke(outcomes -> {
            for (int i = 0; i < positions.size(); i++) {
                merged.set(positions.get(i), outcomes.get(i));
            }
        }).replaceWithVoid();
    }
}
