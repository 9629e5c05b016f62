package dev.windrow.gather.api;

import java.util.List;
import java.util.function.Function;

import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.HttpHeaders;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.UriInfo;

import org.eclipse.microprofile.openapi.annotations.Operation;
import org.jboss.resteasy.reactive.RestMulti;

import dev.windrow.gather.answer.BusiestBuckets;
import dev.windrow.gather.answer.ProfileAggregator;
import dev.windrow.gather.api.RequestParser.Asked;
import dev.windrow.gather.fanout.GatherRequest;
import dev.windrow.gather.fanout.GatherResult;
import dev.windrow.gather.fanout.Gatherer;
import dev.windrow.gather.query.BusiestQuery;
import dev.windrow.gather.query.Profile;
import dev.windrow.gather.query.QueryPlan;
import io.smallrye.mutiny.Uni;

/** The busiest buckets, all labels together. */
@Path("/api/v1/datasets/{dataset}/busiest")
@Consumes(MediaType.APPLICATION_JSON)
public class BusiestResource {

    private final RequestParser requests;
    private final Gatherer gatherer;
    private final LineRenderer lines;

    BusiestResource(RequestParser requests, Gatherer gatherer, LineRenderer lines) {
        this.requests = requests;
        this.gatherer = gatherer;
        this.lines = lines;
    }

    @GET
    @Produces(MediaType.APPLICATION_JSON)
    @Operation(operationId = "busiest", summary = "The busiest buckets, or the profile of days or weeks, all labels together")
    public Uni<Page<BusiestView>> busiest(@PathParam("dataset") String dataset, @Context UriInfo uri) {
        return page(read(dataset, uri));
    }

    @POST
    @Produces(MediaType.APPLICATION_JSON)
    @Operation(operationId = "postBusiest", summary = "The same with parameters in a JSON object")
    public Uni<Page<BusiestView>> postBusiest(@PathParam("dataset") String dataset, @Context UriInfo uri) {
        return page(read(dataset, uri));
    }

    @GET
    @Produces(LineRenderer.LINES)
    @Operation(hidden = true)
    public RestMulti<byte[]> streamBusiest(@PathParam("dataset") String dataset, @Context UriInfo uri,
            @Context HttpHeaders headers) {
        return stream(read(dataset, uri), headers);
    }

    @POST
    @Produces(LineRenderer.LINES)
    @Operation(hidden = true)
    public RestMulti<byte[]> postStreamBusiest(@PathParam("dataset") String dataset, @Context UriInfo uri,
            @Context HttpHeaders headers) {
        return stream(read(dataset, uri), headers);
    }

    private Asked<BusiestQuery> read(String dataset, UriInfo uri) {
        return requests.read(dev.windrow.gather.query.Operation.BUSIEST, dataset, uri, BusiestQuery::of);
    }

    private RestMulti<byte[]> stream(Asked<BusiestQuery> asked, HttpHeaders headers) {
        return lines.render(asked.csv(headers), columns(asked.query()), asked.query().scope().dataset(), page(asked));
    }

    private Uni<Page<BusiestView>> page(Asked<BusiestQuery> asked) {
        BusiestQuery query = asked.query();
        QueryPlan plan = query.plan();
        // In order, as the buckets of one start must come together.
        GatherRequest request = new GatherRequest(query.scope(), plan, query.selection().whole(), GatherRequest.Order.ASCENDING,
                Long.MAX_VALUE, query.options());
        return rows(query, request).onItem().transform(gathered -> new Page<>(gathered.result(),
                gathered.report().isComplete(), asked.asOf(), null, Warning.of(gathered.report()),
                query.options().explain() ? QueryExplanation.of(plan, gathered) : null,
                asked.cacheLifetime(query.range(), query.options())));
    }

    private Uni<GatherResult<List<BusiestView>>> rows(BusiestQuery query, GatherRequest request) {
        return gatherer.answer(request, buckets -> query.profile()
                .map(profile -> buckets.collect().in(() -> new ProfileAggregator(query, profile), ProfileAggregator::add)
                        .onItem().transform(sums -> sums.slots().stream().map(view(profile)).toList()))
                .orElseGet(() -> buckets.collect().in(() -> new BusiestBuckets(query), BusiestBuckets::add)
                        .onItem().transform(busiest -> busiest.top().stream()
                                .map(total -> BusiestView.of(query, total)).toList())));
    }

    private static Function<ProfileAggregator.Slot, BusiestView> view(Profile profile) {
        return switch (profile) {
            case HOUR_OF_DAY -> BusiestView::hour;
            case DAY_OF_WEEK -> BusiestView::day;
        };
    }

    private static List<String> columns(BusiestQuery query) {
        List<String> first = query.profile().map(profile -> switch (profile) {
            case HOUR_OF_DAY -> List.of("hour");
            case DAY_OF_WEEK -> List.of("day");
        }).orElse(List.of("granularity", "start"));
        return LineRenderer.withMeasures(query.scope().dataset(), first);
    }
}
