package dev.windrow.gather.totals;

import java.util.stream.Collectors;

import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.MediaType;

import org.eclipse.microprofile.openapi.annotations.Operation;

import dev.windrow.gather.fanout.Execution;
import dev.windrow.gather.fanout.GatherRequest;
import dev.windrow.gather.fanout.Gatherer;
import dev.windrow.gather.parameter.QueryKind;
import dev.windrow.gather.plan.Bucket;
import dev.windrow.gather.plan.DatasetScope;
import dev.windrow.gather.plan.MeasureValues;
import dev.windrow.gather.plan.QueryOptions;
import dev.windrow.gather.plan.QueryPlan;
import dev.windrow.gather.request.ApiRequest;
import dev.windrow.gather.request.RequestParser;
import io.smallrye.mutiny.Uni;

/** Totals of one label, or of many together, over a range, and compared with another range. */
@Path("/api/v1/datasets/{dataset}")
@Produces(MediaType.APPLICATION_JSON)
@Consumes(MediaType.APPLICATION_JSON)
public class TotalsResource {

    private final RequestParser requests;
    private final Gatherer gatherer;

    TotalsResource(RequestParser requests, Gatherer gatherer) {
        this.requests = requests;
        this.gatherer = gatherer;
    }

    @GET
    @Path("totals")
    @Operation(operationId = "totals", summary = "Totals of one label, or of many together, over a range")
    public Uni<TotalsView> totals(@PathParam("dataset") String dataset) {
        ApiRequest<TotalsQuery> request = requests.read(QueryKind.TOTALS, dataset, TotalsQuery::of);
        TotalsQuery query = request.query();
        return sum(query.scope(), query.plan(), query.options()).map(execution -> TotalsView.of(query, execution,
                request.cacheLifetime(query.latestRange(), query.options(), execution)));
    }

    @GET
    @Path("compare")
    @Operation(operationId = "compare", summary = "This period against another")
    public Uni<CompareView> compare(@PathParam("dataset") String dataset) {
        ApiRequest<CompareQuery> request = requests.read(QueryKind.COMPARE, dataset, CompareQuery::of);
        CompareQuery query = request.query();
        return Uni.combine().all().unis(sum(query.scope(), query.plan(query.periods().period()), query.options()),
                sum(query.scope(), query.plan(query.periods().against()), query.options()))
                .with((period, against) -> CompareView.of(query, period, against,
                        request.cacheLifetime(query.periods().later(), query.options(), against.after(period))));
    }

    private Uni<Execution<MeasureValues>> sum(DatasetScope scope, QueryPlan plan, QueryOptions options) {
        MeasureValues nothing = MeasureValues.none(scope.dataset().measures());
        return gatherer.answer(GatherRequest.all(scope, plan, options), buckets -> buckets.map(Bucket::values)
                .collect().with(Collectors.reducing(nothing, MeasureValues::combine)));
    }

}
