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

import dev.windrow.gather.api.rendering.LineFormats;
import dev.windrow.gather.api.rendering.LineRenderer;
import dev.windrow.gather.api.rendering.Page;
import dev.windrow.gather.api.rendering.TopView;
import dev.windrow.gather.api.request.ApiRequest;
import dev.windrow.gather.api.request.RequestParser;
import dev.windrow.gather.execution.TopExecutor;
import dev.windrow.gather.query.QueryKind;
import dev.windrow.gather.query.TopQuery;
import io.smallrye.mutiny.Uni;

/** The labels, or groups of labels, that come first by a measure or its change. */
@Path("/api/v1/datasets/{dataset}/top")
@Consumes(MediaType.APPLICATION_JSON)
public class TopResource {

    private final RequestParser requests;
    private final TopExecutor executor;
    private final LineRenderer lines;

    TopResource(RequestParser requests, TopExecutor executor, LineRenderer lines) {
        this.requests = requests;
        this.executor = executor;
        this.lines = lines;
    }

    @GET
    @Produces(MediaType.APPLICATION_JSON)
    @Operation(operationId = "top", summary = "Exact top labels or groups of labels, by a measure or its change")
    public Uni<Page<TopView>> top(@PathParam("dataset") String dataset) {
        return page(read(dataset));
    }

    @GET
    @Produces(LineFormats.LINES)
    @Operation(hidden = true)
    public RestMulti<byte[]> streamTop(@PathParam("dataset") String dataset,
            @Context HttpHeaders headers) {
        ApiRequest<TopQuery> request = read(dataset);
        return lines.render(request.csv(headers), TopView.columns(request.query()), request.query().scope().named(),
                page(request));
    }

    private ApiRequest<TopQuery> read(String dataset) {
        return requests.read(QueryKind.TOP, dataset, TopQuery::of);
    }

    private Uni<Page<TopView>> page(ApiRequest<TopQuery> request) {
        return executor.execute(request.query()).onItem().transform(execution -> Pages.of(request,
                execution.map(page -> page.groups().stream().map(TopView::of).toList()), execution.result().next()));
    }
}
