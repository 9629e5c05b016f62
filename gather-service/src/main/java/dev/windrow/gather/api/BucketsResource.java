package dev.windrow.gather.api;

import java.time.Instant;
import java.util.List;
import java.util.Optional;

import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.HttpHeaders;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.UriInfo;

import org.eclipse.microprofile.openapi.annotations.Operation;
import org.jboss.resteasy.reactive.RestResponse;

import dev.windrow.gather.fanout.GatherRequest;
import dev.windrow.gather.fanout.Gathered;
import dev.windrow.gather.fanout.Gatherer;
import dev.windrow.gather.merge.Bucket;
import dev.windrow.gather.query.BucketsQuery;
import dev.windrow.gather.query.IndexPlanner;
import io.smallrye.mutiny.Uni;

/** Every label's buckets in a range, in time order: what happened since? */
@Path("/api/v1/datasets/{dataset}/buckets")
@Produces(MediaType.APPLICATION_JSON)
public class BucketsResource {

    private final RequestReader requests;
    private final Gatherer gatherer;

    BucketsResource(RequestReader requests, Gatherer gatherer) {
        this.requests = requests;
        this.gatherer = gatherer;
    }

    @GET
    @Operation(operationId = "buckets", summary = "Every label's buckets in a range, in time order")
    public Uni<RestResponse<BucketPage>> buckets(@PathParam("dataset") String dataset, @Context UriInfo uri) {
        var asked = requests.read(dev.windrow.gather.query.Operation.BUCKETS, dataset, uri, BucketsQuery::of);
        BucketsQuery query = asked.query();
        // One more than the page holds tells whether there is a next one.
        GatherRequest request = new GatherRequest(query.scope(), IndexPlanner.plan(query), Optional.empty(),
                query.descending(), query.limit() + 1L, query.options());
        return gatherer.list(request)
                .onItem().transform(gathered -> page(query, asked.asOf(), gathered))
                .onItem().transform(page -> withLink(page, uri));
    }

    private static BucketPage page(BucketsQuery query, Instant asOf, Gathered<List<Bucket>> gathered) {
        List<Bucket> found = gathered.result();
        boolean more = found.size() > query.limit();
        List<Bucket> items = more ? found.subList(0, query.limit()) : found;
        String next = more ? query.next(items.get(items.size() - 1).position()) : null;
        return new BucketPage(items.stream().map(BucketView::of).toList(), gathered.report().isComplete(), asOf, next,
                Warning.of(gathered.report()));
    }

    private static RestResponse<BucketPage> withLink(BucketPage page, UriInfo uri) {
        RestResponse.ResponseBuilder<BucketPage> response = RestResponse.ResponseBuilder.ok(page);
        if (page.next() != null) {
            response.header(HttpHeaders.LINK, "<" + uri.getRequestUriBuilder()
                    .replaceQueryParam("cursor", page.next()).build() + ">; rel=\"next\"");
        }
        return response.build();
    }
}
