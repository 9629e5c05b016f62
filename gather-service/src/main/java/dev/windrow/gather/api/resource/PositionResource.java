package dev.windrow.gather.api.resource;

import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.MediaType;

import org.eclipse.microprofile.openapi.annotations.Operation;

import dev.windrow.gather.api.rendering.PositionView;
import dev.windrow.gather.api.request.ApiRequest;
import dev.windrow.gather.api.request.RequestParser;
import dev.windrow.gather.execution.PositionExecutor;
import dev.windrow.gather.query.PositionQuery;
import dev.windrow.gather.query.QueryKind;
import io.smallrye.mutiny.Uni;

/** The place of one label by a measure, and its neighbors. */
@Path("/api/v1/datasets/{dataset}/position")
@Produces(MediaType.APPLICATION_JSON)
@Consumes(MediaType.APPLICATION_JSON)
public class PositionResource {

    private final RequestParser requests;
    private final PositionExecutor executor;

    PositionResource(RequestParser requests, PositionExecutor executor) {
        this.requests = requests;
        this.executor = executor;
    }

    @GET
    @Operation(operationId = "position", summary = "One label's place by a measure, and its neighbors")
    public Uni<PositionView> position(@PathParam("dataset") String dataset) {
        ApiRequest<PositionQuery> request = requests.read(QueryKind.POSITION, dataset, PositionQuery::of);
        PositionQuery query = request.query();
        return executor.execute(query).map(execution -> PositionView.of(query, execution,
                request.cacheLifetime(query.range(), query.options(), execution)));
    }
}
