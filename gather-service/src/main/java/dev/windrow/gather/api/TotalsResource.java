package dev.windrow.gather.api;

import java.time.Instant;
import java.util.Optional;

import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.UriInfo;

import org.eclipse.microprofile.openapi.annotations.Operation;

import dev.windrow.gather.fanout.GatherRequest;
import dev.windrow.gather.fanout.Gathered;
import dev.windrow.gather.fanout.Gatherer;
import dev.windrow.gather.merge.Bucket;
import dev.windrow.gather.merge.Values;
import dev.windrow.gather.query.TimeRange;
import dev.windrow.gather.query.TotalsQuery;
import io.smallrye.mutiny.Uni;

/** One label's totals over a range. */
@Path("/api/v1/datasets/{dataset}/totals")
@Produces(MediaType.APPLICATION_JSON)
public class TotalsResource {

    private final RequestReader requests;
    private final Gatherer gatherer;

    TotalsResource(RequestReader requests, Gatherer gatherer) {
        this.requests = requests;
        this.gatherer = gatherer;
    }

    @GET
    @Operation(operationId = "totals", summary = "One label's totals over a range")
    public Uni<TotalsView> totals(@PathParam("dataset") String dataset, @Context UriInfo uri) {
        var asked = requests.read(dev.windrow.gather.query.Operation.TOTALS, dataset, uri, TotalsQuery::of);
        TotalsQuery query = asked.query();
        Values nothing = Values.none(query.scope().dataset().measures());
        return gatherer
                .answer(GatherRequest.all(query.scope(), query.plan(), Optional.of(query.label()), query.options()),
                        buckets -> buckets.onItem().transform(Bucket::values)
                                .collect().in(() -> new Sum(nothing), Sum::add))
                .onItem().transform(gathered -> view(query, asked.asOf(), gathered));
    }

    private static TotalsView view(TotalsQuery query, Instant asOf, Gathered<Sum> gathered) {
        TimeRange range = query.range();
        return new TotalsView(query.label().values(),
                range.from().equals(TimeRange.ALL.from()) ? null : range.from(),
                range.to().equals(TimeRange.END) ? null : range.to(),
                MeasuresView.total(gathered.result().values), gathered.report().isComplete(), asOf,
                Warning.of(gathered.report()));
    }

    private static final class Sum {
        private Values values;

        Sum(Values nothing) {
            this.values = nothing;
        }

        void add(Values more) {
            values = values.combine(more);
        }
    }
}
