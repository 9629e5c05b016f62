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

import dev.windrow.gather.api.RequestParser.Asked;
import dev.windrow.gather.query.SeriesQuery;
import io.smallrye.mutiny.Uni;

/** One label over time. */
@Path("/api/v1/datasets/{dataset}/series")
@Consumes(MediaType.APPLICATION_JSON)
public class SeriesResource {

    private final RequestParser requests;
    private final SeriesReader series;
    private final LineRenderer lines;

    SeriesResource(RequestParser requests, SeriesReader series, LineRenderer lines) {
        this.requests = requests;
        this.series = series;
        this.lines = lines;
    }

    @GET
    @Produces(MediaType.APPLICATION_JSON)
    @Operation(operationId = "series", summary = "One label over time")
    public Uni<Page<BucketView>> series(@PathParam("dataset") String dataset, @Context UriInfo uri) {
        return page(read(dataset, uri));
    }

    @POST
    @Produces(MediaType.APPLICATION_JSON)
    @Operation(operationId = "postSeries", summary = "The same with parameters in a JSON object")
    public Uni<Page<BucketView>> postSeries(@PathParam("dataset") String dataset, @Context UriInfo uri) {
        return page(read(dataset, uri));
    }

    @GET
    @Produces(LineRenderer.LINES)
    @Operation(hidden = true)
    public RestMulti<byte[]> streamSeries(@PathParam("dataset") String dataset, @Context UriInfo uri,
            @Context HttpHeaders headers) {
        return stream(read(dataset, uri), headers);
    }

    @POST
    @Produces(LineRenderer.LINES)
    @Operation(hidden = true)
    public RestMulti<byte[]> postStreamSeries(@PathParam("dataset") String dataset, @Context UriInfo uri,
            @Context HttpHeaders headers) {
        return stream(read(dataset, uri), headers);
    }

    private Asked<SeriesQuery> read(String dataset, UriInfo uri) {
        return requests.read(dev.windrow.gather.query.Operation.SERIES, dataset, uri, SeriesQuery::of);
    }

    private RestMulti<byte[]> stream(Asked<SeriesQuery> asked, HttpHeaders headers) {
        return lines.render(asked.csv(headers), columns(asked.query()), asked.query().scope().dataset(), page(asked));
    }

    private Uni<Page<BucketView>> page(Asked<SeriesQuery> asked) {
        SeriesQuery query = asked.query();
        boolean nulls = query.fill() != SeriesQuery.Fill.NONE;
        return series.read(query).onItem().transform(read -> new Page<>(
                read.points().stream().map(point -> new BucketView(query.label().values(),
                        query.buckets().granularity().name(), BucketView.start(point.start(), query.buckets().zone()),
                        MeasuresView.of(query.scope().dataset().measures(), point.numbers(), nulls))).toList(),
                read.complete(), asked.asOf(), null,
                read.reports().stream().flatMap(report -> Warning.of(report).stream()).distinct().toList(),
                query.options().explain() ? QueryExplanation.of(query.plan(), read.inside()) : null,
                asked.cacheLifetime(query.range(), query.options())));
    }

    private static List<String> columns(SeriesQuery query) {
        return LineRenderer.bucketColumns(query.scope().dataset());
    }
}
