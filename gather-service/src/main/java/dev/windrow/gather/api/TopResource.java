package dev.windrow.gather.api;

import java.util.List;

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

import dev.windrow.gather.answer.TopLabels;
import dev.windrow.gather.api.RequestParser.Asked;
import dev.windrow.gather.fanout.GatherRequest;
import dev.windrow.gather.fanout.Gatherer;
import dev.windrow.gather.query.QueryPlan;
import dev.windrow.gather.query.TopQuery;
import io.smallrye.mutiny.Uni;

/** The labels with the most of a measure. */
@Path("/api/v1/datasets/{dataset}/top")
@Consumes(MediaType.APPLICATION_JSON)
public class TopResource {

    private final RequestParser requests;
    private final Gatherer gatherer;
    private final LineRenderer lines;
    private final ApiConfig config;

    TopResource(RequestParser requests, Gatherer gatherer, LineRenderer lines, ApiConfig config) {
        this.requests = requests;
        this.gatherer = gatherer;
        this.lines = lines;
        this.config = config;
    }

    @GET
    @Produces(MediaType.APPLICATION_JSON)
    @Operation(operationId = "top", summary = "Exact top labels by a measure")
    public Uni<Page<TopView>> top(@PathParam("dataset") String dataset, @Context UriInfo uri) {
        return page(read(dataset, uri));
    }

    @POST
    @Produces(MediaType.APPLICATION_JSON)
    @Operation(operationId = "postTop", summary = "The same with parameters in a JSON object")
    public Uni<Page<TopView>> postTop(@PathParam("dataset") String dataset, @Context UriInfo uri) {
        return page(read(dataset, uri));
    }

    @GET
    @Produces(LineRenderer.LINES)
    @Operation(hidden = true)
    public RestMulti<byte[]> streamTop(@PathParam("dataset") String dataset, @Context UriInfo uri,
            @Context HttpHeaders headers) {
        return stream(read(dataset, uri), headers);
    }

    @POST
    @Produces(LineRenderer.LINES)
    @Operation(hidden = true)
    public RestMulti<byte[]> postStreamTop(@PathParam("dataset") String dataset, @Context UriInfo uri,
            @Context HttpHeaders headers) {
        return stream(read(dataset, uri), headers);
    }

    private Asked<TopQuery> read(String dataset, UriInfo uri) {
        return requests.read(dev.windrow.gather.query.Operation.TOP, dataset, uri, TopQuery::of);
    }

    private RestMulti<byte[]> stream(Asked<TopQuery> asked, HttpHeaders headers) {
        return lines.render(asked.csv(headers), columns(asked.query()), asked.query().scope().dataset(), page(asked));
    }

    private Uni<Page<TopView>> page(Asked<TopQuery> asked) {
        TopQuery query = asked.query();
        QueryPlan plan = query.plan();
        GatherRequest request = GatherRequest.all(query.scope(), plan, query.selection().whole(), query.options());
        return gatherer.answer(request, buckets -> buckets.collect()
                .in(() -> new TopLabels(query, config.maxLabels()), TopLabels::add)
                .onItem().transform(TopLabels::top))
                .onItem().transform(gathered -> new Page<>(gathered.result().stream().map(TopView::of).toList(),
                        gathered.report().isComplete(), asked.asOf(), null, Warning.of(gathered.report()),
                        query.options().explain() ? QueryExplanation.of(plan, gathered) : null,
                        asked.cacheLifetime(query.range(), query.options())));
    }

    private static List<String> columns(TopQuery query) {
        return LineRenderer.withMeasures(query.scope().dataset(), query.scope().dataset().label());
    }
}
