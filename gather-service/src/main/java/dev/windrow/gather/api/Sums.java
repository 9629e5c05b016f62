package dev.windrow.gather.api;

import jakarta.enterprise.context.ApplicationScoped;

import dev.windrow.gather.fanout.GatherRequest;
import dev.windrow.gather.fanout.Gathered;
import dev.windrow.gather.fanout.Gatherer;
import dev.windrow.gather.merge.Bucket;
import dev.windrow.gather.merge.Values;
import io.smallrye.mutiny.Uni;

/** Sums up all buckets of a plan. */
@ApplicationScoped
class Sums {

    private final Gatherer gatherer;

    Sums(Gatherer gatherer) {
        this.gatherer = gatherer;
    }

    Uni<Gathered<Values>> sum(GatherRequest request) {
        Values nothing = Values.none(request.scope().dataset().measures());
        return gatherer.answer(request, buckets -> buckets.onItem().transform(Bucket::values)
                .collect().in(() -> new Sum(nothing), Sum::add)
                .onItem().transform(sum -> sum.values));
    }

    private static final class Sum {
        private Values values;

        Sum(Values nothing) {
            this.values = nothing;
        }

        void add(Values more) {
            values = values.combine(more);
        }
    }
}
