package dev.windrow.writer.store;

import java.util.ArrayList;
import java.util.List;

import dev.windrow.measure.Measure;
import dev.windrow.measure.MeasureValue;
import dev.windrow.writer.aggregate.AggregationPlan;
import dev.windrow.writer.aggregate.BucketUpsert;
import dev.windrow.writer.aggregate.SeriesBatch;
import io.smallrye.mutiny.CompositeException;
import io.smallrye.mutiny.Uni;

/**
 * Writes min, max, first and last, each by a conditional update of its own. Applying one twice changes nothing, so they
 * need no ledger; and a value that is beaten must not cancel the counts, so they stay out of its transactions. A value that
 * is thought not to win is left out where counts are added to the same item: those demand that the item holds a better one,
 * and where it does not any more, {@link #restore} writes what was left out.
 */
final class Extremes {

    private static final int CONCURRENCY = 8;

    private final TableWrites writes;
    private final BucketUpdates updates;
    private final ExtremesCache known;

    Extremes(TableWrites writes, BucketUpdates updates, ExtremesCache known) {
        this.writes = writes;
        this.updates = updates;
        this.known = known;
    }

    /** Writes the extremes that may win; fails with the first {@link WriteFailedException}, when all have ended. */
    Uni<Void> write(SeriesBatch batch) {
        return batch.plan().hasExtremes() ? write(batch, batch.upserts()) : Uni.createFrom().voidItem();
    }

    /** Writes all extremes of some buckets, as their items do not hold what they were thought to hold. */
    Uni<Void> restore(SeriesBatch batch, List<BucketUpsert> upserts) {
        for (BucketUpsert upsert : upserts) {
            for (Measure measure : batch.plan().measures()) {
                known.forget(key(batch, upsert, measure));
            }
        }
        return write(batch, upserts);
    }

    private Uni<Void> write(SeriesBatch batch, List<BucketUpsert> upserts) {
        List<Uni<Void>> all = new ArrayList<>();
        List<Measure> measures = batch.plan().measures();
        for (BucketUpsert upsert : upserts) {
            for (int i = 0; i < measures.size(); i++) {
                MeasureValue value = upsert.totals().value(measures, i);
                if (!measures.get(i).kind().isAdditive() && value != null) {
                    one(batch, upsert, i, value, all);
                }
            }
        }
        return all.isEmpty() ? Uni.createFrom().voidItem()
                : Uni.join().all(all).usingConcurrencyOf(CONCURRENCY).andCollectFailures()
                        .onFailure().transform(Extremes::first).replaceWithVoid();
    }

    private void one(SeriesBatch batch, BucketUpsert upsert, int index, MeasureValue value, List<Uni<Void>> all) {
        AggregationPlan plan = batch.plan();
        Measure measure = plan.measures().get(index);
        ExtremesCache.Key key = key(batch, upsert, measure);
        if (BucketUpdates.adds(plan, upsert) && !known.canWin(key, measure.kind(), value)) {
            return;
        }
        BucketUpdate update = updates.extreme(plan, batch.series(), batch.partitionKey(), upsert, index, value);
        all.add(writes.write(TableWrite.single(update))
                .invoke(() -> known.note(key, measure.kind(), value))
                .replaceWithVoid()
                .onFailure(ConditionFailedException.class).recoverWithUni(failure -> {
                    known.noteItem(key, measure, failure.items().get(0), value);
                    return Uni.createFrom().voidItem();
                }));
    }

    private static ExtremesCache.Key key(SeriesBatch batch, BucketUpsert upsert, Measure measure) {
        return new ExtremesCache.Key(batch.partitionKey(), upsert.granularity(), upsert.startSecond(), measure.name());
    }

    private static Throwable first(Throwable failure) {
        return failure instanceof CompositeException several ? several.getCauses().get(0) : failure;
    }
}
