package dev.windrow.gather.api.resource;

import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.MediaType;

import org.eclipse.microprofile.openapi.annotations.Operation;

import dev.windrow.gather.api.rendering.CompareView;
import dev.windrow.gather.api.rendering.TotalsView;
import dev.windrow.gather.api.request.ApiRequest;
import dev.windrow.gather.api.request.RequestParser;
import dev.windrow.gather.execution.TotalsExecutor;
import dev.windrow.gather.query.CompareQuery;
import dev.windrow.gather.query.QueryKind;
import dev.windrow.gather.query.TotalsQuery;
import io.smallrye.mutiny.Uni;

/** Totals of one label, or of many together, over a range, and compared with another range. */
@Path("/api/v1/datasets/{dataset}")
@Produces(MediaType.APPLICATION_JSON)
@Consumes(MediaType.APPLICATION_JSON)
public class TotalsResource {

    private final RequestParser requests;
    private final TotalsExecutor executor;

    TotalsResource(RequestParser requests, TotalsExecutor executor) {
        this.requests = requests;
        this.executor = executor;
    }

    @GET
    @Path("totals")
    @Operation(operationId = "totals", summary = "Totals of one label, or of many together, over a range")
    public Uni<TotalsView> totals(@PathParam("dataset") String dataset) {
        ApiRequest<TotalsQuery> request = requests.read(QueryKind.TOTALS, dataset, TotalsQuery::of);
        TotalsQuery query = request.query();
        return executor.execute(query).onItem().transform(execution -> TotalsView.of(query, execution,
                request.cacheLifetime(query.range(), query.options(), execution)));
    }

    @GET
    @Path("compare")
    @Operation(operationId = "compare", summary = "This period against another")
    public Uni<CompareView> compare(@PathParam("dataset") String dataset) {
        ApiRequest<CompareQuery> request = requests.read(QueryKind.COMPARE, dataset, CompareQuery::of);
        CompareQuery query = request.query();
        return executor.execute(query).onItem().transform(comparison -> CompareView.of(query, comparison,
                request.cacheLifetime(query.periods().later(), query.options(),
                        comparison.against().after(comparison.period()))));
    }
}
