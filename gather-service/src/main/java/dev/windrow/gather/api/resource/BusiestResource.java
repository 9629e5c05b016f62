package dev.windrow.gather.api.resource;

import java.util.List;

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

import dev.windrow.gather.api.rendering.BusiestView;
import dev.windrow.gather.api.rendering.LineFormats;
import dev.windrow.gather.api.rendering.LineRenderer;
import dev.windrow.gather.api.rendering.Page;
import dev.windrow.gather.api.request.ApiRequest;
import dev.windrow.gather.api.request.RequestParser;
import dev.windrow.gather.execution.BusiestExecutor;
import dev.windrow.gather.execution.Execution;
import dev.windrow.gather.query.BusiestQuery;
import dev.windrow.gather.query.QueryKind;
import io.smallrye.mutiny.Uni;

/** The busiest buckets, all labels together. */
@Path("/api/v1/datasets/{dataset}/busiest")
@Consumes(MediaType.APPLICATION_JSON)
public class BusiestResource {

    private final RequestParser requests;
    private final BusiestExecutor executor;
    private final LineRenderer lines;

    BusiestResource(RequestParser requests, BusiestExecutor executor, LineRenderer lines) {
        this.requests = requests;
        this.executor = executor;
        this.lines = lines;
    }

    @GET
    @Produces(MediaType.APPLICATION_JSON)
    @Operation(operationId = "busiest", summary = "The busiest buckets, or the profile of days or weeks, all labels together")
    public Uni<Page<BusiestView>> busiest(@PathParam("dataset") String dataset) {
        return page(read(dataset));
    }

    @GET
    @Produces(LineFormats.LINES)
    @Operation(hidden = true)
    public RestMulti<byte[]> streamBusiest(@PathParam("dataset") String dataset,
            @Context HttpHeaders headers) {
        ApiRequest<BusiestQuery> request = read(dataset);
        return lines.render(request.csv(headers), BusiestView.columns(request.query()), request.query().scope().named(),
                page(request));
    }

    private ApiRequest<BusiestQuery> read(String dataset) {
        return requests.read(QueryKind.BUSIEST, dataset, BusiestQuery::of);
    }

    private Uni<Page<BusiestView>> page(ApiRequest<BusiestQuery> request) {
        return rows(request.query()).onItem().transform(execution -> Pages.of(request, execution, null));
    }

    private Uni<Execution<List<BusiestView>>> rows(BusiestQuery query) {
        return query.profile()
                .map(profile -> executor.profile(query, profile).onItem().transform(
                        execution -> execution
                                .map(slots -> slots.stream().map(slot -> BusiestView.of(profile, slot)).toList())))
                .orElseGet(() -> executor.busiest(query).onItem().transform(execution -> execution
                        .map(totals -> totals.stream().map(total -> BusiestView.of(query, total)).toList())));
    }
}
