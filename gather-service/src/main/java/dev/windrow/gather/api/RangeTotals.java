package dev.windrow.gather.api;

import jakarta.enterprise.context.ApplicationScoped;

import dev.windrow.gather.fanout.GatherRequest;
import dev.windrow.gather.fanout.GatherResult;
import dev.windrow.gather.fanout.Gatherer;
import dev.windrow.gather.merge.Bucket;
import dev.windrow.gather.merge.MeasureValues;
import io.smallrye.mutiny.Uni;

/** Sums up all buckets of a plan. */
@ApplicationScoped
class RangeTotals {

    private final Gatherer gatherer;

    RangeTotals(Gatherer gatherer) {
        this.gatherer = gatherer;
    }

    Uni<GatherResult<MeasureValues>> sum(GatherRequest request) {
        MeasureValues nothing = MeasureValues.none(request.scope().dataset().measures());
        return gatherer.answer(request, buckets -> buckets.onItem().transform(Bucket::values)
                .collect().in(() -> new Sum(nothing), Sum::add)
                .onItem().transform(sum -> sum.values));
    }

    private static final class Sum {
        private MeasureValues values;

        Sum(MeasureValues nothing) {
            this.values = nothing;
        }

        void add(MeasureValues more) {
            values = values.combine(more);
        }
    }
}
