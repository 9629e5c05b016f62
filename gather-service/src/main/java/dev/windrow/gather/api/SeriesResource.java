package dev.windrow.gather.api;

import java.util.List;
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
import dev.windrow.gather.fanout.Gatherer;
import dev.windrow.gather.merge.Bucket;
import dev.windrow.gather.query.QueryParameter;
import dev.windrow.gather.query.SeriesQuery;
import dev.windrow.reason.Reason;
import dev.windrow.reason.ReasonedException;
import io.smallrye.mutiny.Uni;

/** One label over time. */
@Path("/api/v1/datasets/{dataset}/series")
@Produces(MediaType.APPLICATION_JSON)
public class SeriesResource {

    private final RequestReader requests;
    private final Gatherer gatherer;

    SeriesResource(RequestReader requests, Gatherer gatherer) {
        this.requests = requests;
        this.gatherer = gatherer;
    }

    @GET
    @Operation(operationId = "series", summary = "One label over time")
    public Uni<BucketPage> series(@PathParam("dataset") String dataset, @Context UriInfo uri) {
        var asked = requests.read(dev.windrow.gather.query.Operation.SERIES, dataset, uri, SeriesQuery::of);
        SeriesQuery query = asked.query();
        GatherRequest request = new GatherRequest(query.scope(), query.plan(), Optional.of(query.label()), false,
                query.mostPoints() + 1L, query.options());
        return gatherer.list(request).onItem().transform(gathered -> {
            requireFew(gathered.result(), query.mostPoints());
            return new BucketPage(gathered.result().stream().map(BucketView::of).toList(),
                    gathered.report().isComplete(), asked.asOf(), null, Warning.of(gathered.report()));
        });
    }

    private static void requireFew(List<Bucket> buckets, int most) {
        if (buckets.size() > most) {
            throw new ReasonedException(Reason.RANGE_TOO_LONG, QueryParameter.GRANULARITY.word(),
                    "expected at most " + most + " buckets: ask for a shorter range or a coarser granularity");
        }
    }
}
