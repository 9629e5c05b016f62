package dev.windrow.gather.buckets;

import java.util.List;

import jakarta.enterprise.context.ApplicationScoped;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.HttpHeaders;
import jakarta.ws.rs.core.MediaType;

import org.eclipse.microprofile.openapi.annotations.Operation;
import org.jboss.resteasy.reactive.RestMulti;
import org.jspecify.annotations.Nullable;

import dev.windrow.gather.buckets.BucketsResource.BucketsExecutor.BucketsPage;
import dev.windrow.gather.plan.Bucket;
import dev.windrow.gather.plan.QueryKind;
import dev.windrow.gather.plan.QueryPlan;
import dev.windrow.gather.read.Execution;
import dev.windrow.gather.read.Gatherer;
import dev.windrow.gather.read.Gatherer.GatherRequest;
import dev.windrow.gather.render.BucketView;
import dev.windrow.gather.render.LineRenderer;
import dev.windrow.gather.render.LineRenderer.LineFormats;
import dev.windrow.gather.render.Page;
import dev.windrow.gather.request.ApiRequest;
import dev.windrow.gather.request.ApiRequest.Pages;
import dev.windrow.gather.request.RequestParser;
import io.smallrye.mutiny.Uni;

/** Every label's buckets in a range, in time order: what happened since? */
@Path("/api/v1/datasets/{dataset}/buckets")
@Consumes(MediaType.APPLICATION_JSON)
public class BucketsResource {

    private final RequestParser requests;
    private final BucketsExecutor executor;
    private final LineRenderer lines;

    BucketsResource(RequestParser requests, BucketsExecutor executor, LineRenderer lines) {
        this.requests = requests;
        this.executor = executor;
        this.lines = lines;
    }

    @GET
    @Produces(MediaType.APPLICATION_JSON)
    @Operation(operationId = "buckets", summary = "Every label's buckets in a range, in time order")
    public Uni<Page<BucketView>> buckets(@PathParam("dataset") String dataset) {
        ApiRequest<BucketsQuery> request = read(dataset);
        return executor.execute(request.query()).onItem().transform(execution -> page(request, execution));
    }

    @GET
    @Produces(LineFormats.LINES)
    @Operation(hidden = true)
    public RestMulti<byte[]> streamBuckets(@PathParam("dataset") String dataset,
            @Context HttpHeaders headers) {
        ApiRequest<BucketsQuery> request = read(dataset);
        BucketsQuery query = request.query();
        return lines.render(request.csv(headers), BucketView.columns(query.scope().dataset()), executor.stream(query),
                buckets -> buckets.onItem().transform(BucketView::of));
    }

    private ApiRequest<BucketsQuery> read(String dataset) {
        return requests.read(QueryKind.BUCKETS, dataset, BucketsQuery::of);
    }

    private static Page<BucketView> page(ApiRequest<BucketsQuery> request, Execution<BucketsPage> execution) {
        return Pages.of(request, execution.map(page -> page.buckets().stream().map(BucketView::of).toList()),
                execution.result().next());
    }

    /** Gathers buckets page by page, or prepares their stream. */
    @ApplicationScoped
    public static class BucketsExecutor {

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
}
