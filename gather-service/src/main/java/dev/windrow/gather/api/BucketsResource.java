package dev.windrow.gather.api;

import java.util.List;

import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.HttpHeaders;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.UriInfo;

import org.eclipse.microprofile.openapi.annotations.Operation;
import org.jboss.resteasy.reactive.RestMulti;

import dev.windrow.gather.api.RequestParser.Asked;
import dev.windrow.gather.fanout.GatherRequest;
import dev.windrow.gather.fanout.GatherRequest.Order;
import dev.windrow.gather.fanout.GatherResult;
import dev.windrow.gather.fanout.Gatherer;
import dev.windrow.gather.merge.Bucket;
import dev.windrow.gather.query.BucketsQuery;
import dev.windrow.gather.query.QueryPlan;
import io.smallrye.mutiny.Uni;

/** Every label's buckets in a range, in time order: what happened since? */
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
    public Uni<Page<BucketView>> buckets(@PathParam("dataset") String dataset, @Context UriInfo uri) {
        return page(read(dataset, uri));
    }

    @POST
    @Produces(MediaType.APPLICATION_JSON)
    @Operation(operationId = "postBuckets", summary = "The same with parameters in a JSON object")
    public Uni<Page<BucketView>> postBuckets(@PathParam("dataset") String dataset, @Context UriInfo uri) {
        return page(read(dataset, uri));
    }

    @GET
    @Produces(LineRenderer.LINES)
    @Operation(hidden = true)
    public RestMulti<byte[]> streamBuckets(@PathParam("dataset") String dataset, @Context UriInfo uri,
            @Context HttpHeaders headers) {
        return stream(read(dataset, uri), headers);
    }

    @POST
    @Produces(LineRenderer.LINES)
    @Operation(hidden = true)
    public RestMulti<byte[]> postStreamBuckets(@PathParam("dataset") String dataset, @Context UriInfo uri,
            @Context HttpHeaders headers) {
        return stream(read(dataset, uri), headers);
    }

    private Asked<BucketsQuery> read(String dataset, UriInfo uri) {
        return requests.read(dev.windrow.gather.query.Operation.BUCKETS, dataset, uri, BucketsQuery::of);
    }

    private Uni<Page<BucketView>> page(Asked<BucketsQuery> asked) {
        QueryPlan plan = asked.query().plan();
        // One more than the page holds tells whether there is a next one.
        return gatherer.list(request(asked.query(), plan, asked.query().limit() + 1L))
                .onItem().transform(gathered -> page(asked, plan, gathered));
    }

    private static Page<BucketView> page(Asked<BucketsQuery> asked, QueryPlan plan, GatherResult<List<Bucket>> gathered) {
        BucketsQuery query = asked.query();
        List<Bucket> found = gathered.result();
        boolean more = found.size() > query.limit();
        List<Bucket> items = more ? found.subList(0, query.limit()) : found;
        Bucket last = items.isEmpty() ? null : items.get(items.size() - 1);
        String next = more && last != null ? query.next(last.start(), last.label()) : null;
        return new Page<>(items.stream().map(BucketView::of).toList(), gathered.report().isComplete(), asked.asOf(), next,
                Warning.of(gathered.report()), query.options().explain() ? QueryExplanation.of(plan, gathered) : null,
                asked.cacheLifetime(query.range(), query.options()));
    }

    /** Unlike a page, a stream ends only where the range does, unless a limit is asked for. */
    private RestMulti<byte[]> stream(Asked<BucketsQuery> asked, HttpHeaders headers) {
        BucketsQuery query = asked.query();
        GatherRequest request = request(query, query.plan(), query.limited() ? query.limit() : Long.MAX_VALUE);
        return lines.render(asked.csv(headers), LineRenderer.bucketColumns(query.scope().dataset()), request, asked.asOf(),
                buckets -> buckets.onItem().transform(BucketView::of));
    }

    private static GatherRequest request(BucketsQuery query, QueryPlan plan, long wanted) {
        return new GatherRequest(query.scope(), plan, query.selection().whole(),
                query.descending() ? Order.DESCENDING : Order.ASCENDING, wanted, query.options());
    }
}
