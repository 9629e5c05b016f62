package dev.windrow.gather.api;

import java.time.Instant;
import java.util.Optional;

import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.UriInfo;

import org.eclipse.microprofile.openapi.annotations.Operation;
import org.jspecify.annotations.Nullable;

import dev.windrow.gather.api.RequestParser.Asked;
import dev.windrow.gather.fanout.GatherRequest;
import dev.windrow.gather.query.QueryPlan;
import dev.windrow.gather.query.TimeRange;
import dev.windrow.gather.query.TotalsQuery;
import io.smallrye.mutiny.Uni;

/** One label's totals over a range. */
@Path("/api/v1/datasets/{dataset}/totals")
@Produces(MediaType.APPLICATION_JSON)
@Consumes(MediaType.APPLICATION_JSON)
public class TotalsResource {

    private final RequestParser requests;
    private final RangeTotals sums;

    TotalsResource(RequestParser requests, RangeTotals sums) {
        this.requests = requests;
        this.sums = sums;
    }

    @GET
    @Operation(operationId = "totals", summary = "One label's totals over a range")
    public Uni<TotalsView> totals(@PathParam("dataset") String dataset, @Context UriInfo uri) {
        return answer(read(dataset, uri));
    }

    @POST
    @Operation(operationId = "postTotals", summary = "The same with parameters in a JSON object")
    public Uni<TotalsView> postTotals(@PathParam("dataset") String dataset, @Context UriInfo uri) {
        return answer(read(dataset, uri));
    }

    private Asked<TotalsQuery> read(String dataset, UriInfo uri) {
        return requests.read(dev.windrow.gather.query.Operation.TOTALS, dataset, uri, TotalsQuery::of);
    }

    private Uni<TotalsView> answer(Asked<TotalsQuery> asked) {
        TotalsQuery query = asked.query();
        QueryPlan plan = query.plan();
        return sums.sum(GatherRequest.all(query.scope(), plan, Optional.of(query.label()), query.options()))
                .onItem().transform(gathered -> new TotalsView(query.label().values(), from(query.range()),
                        to(query.range()), MeasuresView.total(gathered.result()), gathered.report().isComplete(),
                        asked.asOf(), Warning.of(gathered.report()),
                        query.options().explain() ? QueryExplanation.of(plan, gathered) : null,
                        asked.cacheLifetime(query.range(), query.options())));
    }

    private static @Nullable Instant from(TimeRange range) {
        return range.from().equals(TimeRange.ALL.from()) ? null : range.from();
    }

    private static @Nullable Instant to(TimeRange range) {
        return range.to().equals(TimeRange.END) ? null : range.to();
    }
}
