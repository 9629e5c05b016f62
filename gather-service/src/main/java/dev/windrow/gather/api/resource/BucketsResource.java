package dev.windrow.gather.api.resource;

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

import dev.windrow.gather.api.rendering.BucketView;
import dev.windrow.gather.api.rendering.LineFormats;
import dev.windrow.gather.api.rendering.LineRenderer;
import dev.windrow.gather.api.rendering.Page;
import dev.windrow.gather.api.request.ApiRequest;
import dev.windrow.gather.api.request.RequestParser;
import dev.windrow.gather.execution.BucketsExecutor;
import dev.windrow.gather.execution.BucketsExecutor.BucketsPage;
import dev.windrow.gather.execution.Execution;
import dev.windrow.gather.query.BucketsQuery;
import dev.windrow.gather.query.QueryKind;
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
}
