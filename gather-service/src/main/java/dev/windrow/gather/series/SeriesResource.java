package dev.windrow.gather.series;

import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.List;

import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.HttpHeaders;
import jakarta.ws.rs.core.MediaType;

import org.eclipse.microprofile.openapi.annotations.Operation;
import org.jboss.resteasy.reactive.RestMulti;

import dev.windrow.gather.plan.QueryKind;
import dev.windrow.gather.render.BucketView;
import dev.windrow.gather.render.BucketView.MeasuresView;
import dev.windrow.gather.render.LineRenderer;
import dev.windrow.gather.render.LineRenderer.LineFormats;
import dev.windrow.gather.render.Page;
import dev.windrow.gather.request.ApiRequest;
import dev.windrow.gather.request.ApiRequest.Pages;
import dev.windrow.gather.request.RequestParser;
import dev.windrow.gather.series.SeriesAnswer.Series;
import dev.windrow.gather.series.SeriesAnswer.SeriesPoint;
import dev.windrow.gather.series.SeriesQuery.SeriesGroups;
import io.smallrye.mutiny.Uni;

/** One label, or many together, over time. */
@Path("/api/v1/datasets/{dataset}/series")
@Consumes(MediaType.APPLICATION_JSON)
public class SeriesResource {

    private static final int LAST_YEAR = 9_999;

    private final RequestParser requests;
    private final SeriesAnswer executor;
    private final LineRenderer lines;

    SeriesResource(RequestParser requests, SeriesAnswer executor, LineRenderer lines) {
        this.requests = requests;
        this.executor = executor;
        this.lines = lines;
    }

    @GET
    @Produces(MediaType.APPLICATION_JSON)
    @Operation(operationId = "series", summary = "One label, or many together, over time")
    public Uni<Page<BucketView>> series(@PathParam("dataset") String dataset) {
        return page(read(dataset));
    }

    @GET
    @Produces(LineFormats.LINES)
    @Operation(hidden = true)
    public RestMulti<byte[]> streamSeries(@PathParam("dataset") String dataset,
            @Context HttpHeaders headers) {
        ApiRequest<SeriesQuery> request = read(dataset);
        return lines.render(request.csv(headers), columns(request.query()), request.query().scope().named(),
                page(request));
    }

    private ApiRequest<SeriesQuery> read(String dataset) {
        return requests.read(QueryKind.SERIES, dataset, SeriesQuery::of);
    }

    private Uni<Page<BucketView>> page(ApiRequest<SeriesQuery> request) {
        SeriesQuery query = request.query();
        return executor.execute(query).onItem().transform(execution -> Pages.of(request,
                execution.map(all -> all.stream()
                        .flatMap(series -> series.points().stream().map(point -> view(query, series, point)))
                        .toList()),
                null));
    }

    private static BucketView view(SeriesQuery query, Series series, SeriesPoint point) {
        Boolean other = query.groups().filter(SeriesGroups::other).map(groups -> series.other()).orElse(null);
        return new BucketView(series.label(), other, query.buckets().granularity().name(),
                start(point.start(), query.buckets().zone()), MeasuresView.of(query.scope().named().measures(),
                        point.numbers(), query.fill() != SeriesQuery.Fill.NONE));
    }

    private static List<String> columns(SeriesQuery query) {
        List<String> columns = BucketView.columns(query.scope().named());
        if (query.groups().filter(SeriesGroups::other).isPresent()) {
            columns.add(query.scope().named().label().size(), "other");
        }
        return columns;
    }

    /** RFC 3339, with the offset that holds in the zone then; in UTC where that has a year of five digits, unlike RFC 3339. */
    private static String start(Instant start, ZoneId zone) {
        ZonedDateTime local = start.atZone(zone);
        return zone.equals(ZoneOffset.UTC) || local.getYear() > LAST_YEAR
                ? start.toString()
                : DateTimeFormatter.ISO_OFFSET_DATE_TIME.format(local);
    }
}
