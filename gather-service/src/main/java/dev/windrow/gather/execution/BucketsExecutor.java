package dev.windrow.gather.execution;

import java.util.List;

import jakarta.enterprise.context.ApplicationScoped;

import org.jspecify.annotations.Nullable;

import dev.windrow.gather.fanout.GatherRequest;
import dev.windrow.gather.fanout.Gatherer;
import dev.windrow.gather.merge.Bucket;
import dev.windrow.gather.query.BucketsQuery;
import dev.windrow.gather.query.QueryPlan;
import io.smallrye.mutiny.Uni;

/** Gathers buckets page by page, or prepares their stream. */
@ApplicationScoped
public class BucketsExecutor {

    private final Gatherer gatherer;

    BucketsExecutor(Gatherer gatherer) {
        this.gatherer = gatherer;
    }

    /**
     * A page.
     *
     * @param buckets in the requested order
     * @param next the cursor of the next page; null if this is the last
     */
    public record BucketsPage(List<Bucket> buckets, @Nullable String next) {
    }

    /** One page. */
    public Uni<Execution<BucketsPage>> execute(BucketsQuery query) {
        QueryPlan plan = query.plan();
        // One more than the page holds, to see whether there is a next one.
        return gatherer.list(request(query, plan, query.limit() + 1L))
                .onItem().transform(gathered -> Execution.of(plan, gathered).map(found -> page(query, found)));
    }

    private static BucketsPage page(BucketsQuery query, List<Bucket> found) {
        if (found.size() <= query.limit()) {
            return new BucketsPage(found, null);
        }
        Bucket last = found.get(query.limit() - 1);
        return new BucketsPage(found.subList(0, query.limit()), query.next(last.start(), last.label()));
    }

    /** The whole range as a stream; unlike a page, it ends only where the range does, unless the request has a limit. */
    public GatherRequest stream(BucketsQuery query) {
        return request(query, query.plan(), query.limited() ? query.limit() : Long.MAX_VALUE).asStream();
    }

    private static GatherRequest request(BucketsQuery query, QueryPlan plan, long wanted) {
        GatherRequest.Order order = query.descending() ? GatherRequest.Order.DESCENDING : GatherRequest.Order.ASCENDING;
        return new GatherRequest(query.scope(), plan, order, wanted, query.options());
    }
}
