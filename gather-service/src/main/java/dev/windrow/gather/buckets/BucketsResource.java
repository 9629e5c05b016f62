package dev.windrow.gather.buckets;

import java.util.List;
import java.util.function.Function;

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

import dev.windrow.dataset.Column;
import dev.windrow.gather.fanout.Execution;
import dev.windrow.gather.fanout.GatherOrder;
import dev.windrow.gather.fanout.GatherRequest;
import dev.windrow.gather.fanout.Gatherer;
import dev.windrow.gather.parameter.QueryKind;
import dev.windrow.gather.plan.Bucket;
import dev.windrow.gather.render.BucketView;
import dev.windrow.gather.render.LineFormats;
import dev.windrow.gather.render.LineRenderer;
import dev.windrow.gather.render.Page;
import dev.windrow.gather.request.ApiRequest;
import dev.windrow.gather.request.RequestParser;
import io.smallrye.mutiny.Uni;

/** Every label's buckets in a range, in time order. */
@Path("/api/v1/datasets/{dataset}/buckets")
@Consumes(MediaType.APPLICATION_JSON)
public class BucketsResource {

    private final RequestParser requests;
    private final Gatherer gatherer;
    private final LineRenderer lines;

    BucketsResource(RequestParser requests, Gatherer gatherer, LineRenderer lines) {
        this.requests = requests;
        this.gatherer = gatherer;
        this.lines = lines;
    }

    @GET
    @Produces(MediaType.APPLICATION_JSON)
    @Operation(operationId = "buckets", summary = "Every label's buckets in a range, in time order")
    public Uni<Page<BucketView>> buckets(@PathParam("dataset") String dataset) {
        ApiRequest<BucketsQuery> request = read(dataset);
        // Reads one more than the page holds, to see whether there is a next page.
        return gatherer.list(gather(request.query(), request.query().limit() + 1L)).map(found -> page(request, found));
    }

    @GET
    @Produces(LineFormats.LINES)
    @Operation(hidden = true)
    public RestMulti<byte[]> streamBuckets(@PathParam("dataset") String dataset, @Context HttpHeaders headers) {
        ApiRequest<BucketsQuery> request = read(dataset);
        BucketsQuery query = request.query();
        // Unlike a page, a stream ends only with the range, unless the request has a limit.
        return lines.render(request.csv(headers), BucketView.columns(query.scope().named()),
                gather(query, query.limited() ? query.limit() : Long.MAX_VALUE), buckets -> buckets.map(view(query)));
    }

    private ApiRequest<BucketsQuery> read(String dataset) {
        return requests.read(QueryKind.BUCKETS, dataset, BucketsQuery::of);
    }

    private static GatherRequest gather(BucketsQuery query, long wanted) {
        GatherOrder order = query.descending() ? GatherOrder.DESCENDING : GatherOrder.ASCENDING;
        return new GatherRequest(query.scope(), query.plan(), order, wanted, query.options());
    }

    private static Function<Bucket, BucketView> view(BucketsQuery query) {
        List<Column> columns = query.scope().columns();
        return bucket -> BucketView.of(bucket, columns);
    }

    private static Page<BucketView> page(ApiRequest<BucketsQuery> request, Execution<List<Bucket>> found) {
        BucketsQuery query = request.query();
        String next = null;
        if (found.result().size() > query.limit()) {
            Bucket last = found.result().get(query.limit() - 1);
            next = query.next(last.start(), last.label());
        }
        return ApiRequest.page(request, found.map(all -> all.stream().limit(query.limit()).map(view(query)).toList()), next);
    }
}
