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
import dev.windrow.gather.execution.SeriesExecutor;
import dev.windrow.gather.query.QueryKind;
import dev.windrow.gather.query.SeriesQuery;
import io.smallrye.mutiny.Uni;

/** One label, or many together, over time. */
@Path("/api/v1/datasets/{dataset}/series")
@Consumes(MediaType.APPLICATION_JSON)
public class SeriesResource {

    private final RequestParser requests;
    private final SeriesExecutor executor;
    private final LineRenderer lines;

    SeriesResource(RequestParser requests, SeriesExecutor executor, LineRenderer lines) {
        this.requests = requests;
        this.executor = executor;
        this.lines = lines;
    }

    @GET
    @Produces(MediaType.APPLICATION_JSON)
    @Operation(operationId = "series", summary = "One label, or many together, over time")
    public Uni<Page<BucketView>> series(@PathParam("dataset") String dataset) {
        return page(read(dataset));
    }

    @GET
    @Produces(LineFormats.LINES)
    @Operation(hidden = true)
    public RestMulti<byte[]> streamSeries(@PathParam("dataset") String dataset,
            @Context HttpHeaders headers) {
        ApiRequest<SeriesQuery> request = read(dataset);
        return lines.render(request.csv(headers), BucketView.columns(request.query()), request.query().scope().named(),
                page(request));
    }

    private ApiRequest<SeriesQuery> read(String dataset) {
        return requests.read(QueryKind.SERIES, dataset, SeriesQuery::of);
    }

    private Uni<Page<BucketView>> page(ApiRequest<SeriesQuery> request) {
        SeriesQuery query = request.query();
        return executor.execute(query).onItem().transform(execution -> Pages.of(request,
                execution.map(all -> all.stream()
                        .flatMap(series -> series.points().stream().map(point -> BucketView.of(query, series, point)))
                        .toList()),
                null));
    }
}
