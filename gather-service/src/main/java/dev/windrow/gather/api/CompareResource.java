package dev.windrow.gather.api;

import java.util.ArrayList;
import java.util.List;

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

import dev.windrow.gather.api.CompareView.PeriodView;
import dev.windrow.gather.api.RequestParser.Asked;
import dev.windrow.gather.fanout.GatherRequest;
import dev.windrow.gather.fanout.GatherResult;
import dev.windrow.gather.merge.MeasureValues;
import dev.windrow.gather.query.CompareQuery;
import dev.windrow.gather.query.QueryPlan;
import dev.windrow.gather.query.TimeRange;
import io.smallrye.mutiny.Uni;

/** One period against another. */
@Path("/api/v1/datasets/{dataset}/compare")
@Produces(MediaType.APPLICATION_JSON)
@Consumes(MediaType.APPLICATION_JSON)
public class CompareResource {

    private final RequestParser requests;
    private final RangeTotals sums;

    CompareResource(RequestParser requests, RangeTotals sums) {
        this.requests = requests;
        this.sums = sums;
    }

    @GET
    @Operation(operationId = "compare", summary = "This period against another")
    public Uni<CompareView> compare(@PathParam("dataset") String dataset, @Context UriInfo uri) {
        return answer(read(dataset, uri));
    }

    @POST
    @Operation(operationId = "postCompare", summary = "The same with parameters in a JSON object")
    public Uni<CompareView> postCompare(@PathParam("dataset") String dataset, @Context UriInfo uri) {
        return answer(read(dataset, uri));
    }

    private Asked<CompareQuery> read(String dataset, UriInfo uri) {
        return requests.read(dev.windrow.gather.query.Operation.COMPARE, dataset, uri, CompareQuery::of);
    }

    private Uni<CompareView> answer(Asked<CompareQuery> asked) {
        CompareQuery query = asked.query();
        QueryPlan period = query.plan(query.period());
        QueryPlan against = query.plan(query.against());
        return Uni.combine().all().unis(sum(query, period), sum(query, against)).asTuple()
                .onItem().transform(sums -> view(asked, period, sums.getItem1(), against, sums.getItem2()));
    }

    private Uni<GatherResult<MeasureValues>> sum(CompareQuery query, QueryPlan plan) {
        return sums.sum(GatherRequest.all(query.scope(), plan, query.selection().whole(), query.options()));
    }

    private static CompareView view(Asked<CompareQuery> asked, QueryPlan periodPlan, GatherResult<MeasureValues> now,
            QueryPlan againstPlan,
            GatherResult<MeasureValues> then) {
        CompareQuery query = asked.query();
        PeriodView period = PeriodView.of(query.period(), now.result());
        PeriodView against = PeriodView.of(query.against(), then.result());
        List<Warning> warnings = new ArrayList<>(Warning.of(now.report()));
        warnings.addAll(Warning.of(then.report()));
        return new CompareView(period, against, CompareView.changes(against, period), warnings.isEmpty(), asked.asOf(),
                warnings,
                query.options().explain()
                        ? List.of(QueryExplanation.of(periodPlan, now), QueryExplanation.of(againstPlan, then))
                        : null,
                asked.cacheLifetime(later(query), query.options()));
    }

    private static TimeRange later(CompareQuery query) {
        return query.period().to().isAfter(query.against().to()) ? query.period() : query.against();
    }
}
