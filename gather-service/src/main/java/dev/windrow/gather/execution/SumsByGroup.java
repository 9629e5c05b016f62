package dev.windrow.gather.execution;

import java.util.Map;
import java.util.function.Function;

import dev.windrow.gather.answer.GroupSums;
import dev.windrow.gather.fanout.HeldMemory;
import dev.windrow.gather.merge.Bucket;
import dev.windrow.gather.merge.MeasureValues;
import dev.windrow.gather.query.Grouping;
import dev.windrow.table.Label;
import io.smallrye.mutiny.Multi;
import io.smallrye.mutiny.Uni;
import io.smallrye.mutiny.infrastructure.Infrastructure;

/** Sums gathered buckets by group. */
final class SumsByGroup {

    private SumsByGroup() {
    }

    /**
     * Picks from the sums of all groups.
     *
     * @param held by the sums
     * @param pick runs on a worker thread: a million groups take too long for an event loop
     */
    static <T> Function<Multi<Bucket>, Uni<T>> picked(Grouping grouping, HeldMemory.Share held,
            Function<Map<Label, MeasureValues>, T> pick) {
        return buckets -> buckets.collect().in(() -> new GroupSums(grouping, held::add), GroupSums::add)
                .emitOn(Infrastructure.getDefaultWorkerPool()).map(sums -> pick.apply(sums.sums()));
    }
}
