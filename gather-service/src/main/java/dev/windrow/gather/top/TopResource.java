package dev.windrow.gather.top;

import java.util.List;
import java.util.Map;
import java.util.function.Function;

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
import org.jspecify.annotations.Nullable;

import dev.windrow.gather.fanout.Execution;
import dev.windrow.gather.fanout.GatherRequest;
import dev.windrow.gather.fanout.Gatherer;
import dev.windrow.gather.fanout.HeldMemory;
import dev.windrow.gather.parameter.QueryKind;
import dev.windrow.gather.plan.MeasureValues;
import dev.windrow.gather.plan.QueryOptions;
import dev.windrow.gather.range.SumRange;
import dev.windrow.gather.render.LineFormats;
import dev.windrow.gather.render.LineRenderer;
import dev.windrow.gather.render.Page;
import dev.windrow.gather.request.ApiRequest;
import dev.windrow.gather.request.RequestParser;
import dev.windrow.gather.totals.ComparedPeriods;
import dev.windrow.table.Label;
import io.smallrye.mutiny.Uni;

/** The labels, or groups of labels, that come first by a measure or its change. */
@Path("/api/v1/datasets/{dataset}/top")
@Consumes(MediaType.APPLICATION_JSON)
public class TopResource {

    private final RequestParser requests;
    private final Gatherer gatherer;
    private final Leaderboard leaderboard;
    private final HeldMemory memory;
    private final LineRenderer lines;

    TopResource(RequestParser requests, Gatherer gatherer, Leaderboard leaderboard, HeldMemory memory, LineRenderer lines) {
        this.requests = requests;
        this.gatherer = gatherer;
        this.leaderboard = leaderboard;
        this.memory = memory;
        this.lines = lines;
    }

    @GET
    @Produces(MediaType.APPLICATION_JSON)
    @Operation(operationId = "top", summary = "Exact top labels or groups of labels, by a measure or its change")
    public Uni<Page<TopView>> top(@PathParam("dataset") String dataset) {
        return page(read(dataset));
    }

    @GET
    @Produces(LineFormats.LINES)
    @Operation(hidden = true)
    public RestMulti<byte[]> streamTop(@PathParam("dataset") String dataset, @Context HttpHeaders headers) {
        ApiRequest<TopQuery> request = read(dataset);
        return lines.render(request.csv(headers), TopView.columns(request.query()),
                request.query().grouping().layout(request.query().scope().named()), page(request));
    }

    private ApiRequest<TopQuery> read(String dataset) {
        return requests.read(QueryKind.TOP, dataset, TopQuery::of);
    }

    private Uni<Page<TopView>> page(ApiRequest<TopQuery> request) {
        TopQuery query = request.query();
        return found(query).map(found -> {
            List<GroupSum> groups = found.result().first();
            String next = groups.size() <= query.n() ? null : query.next(groups.get(query.n() - 1));
            return ApiRequest.page(request, found.map(all -> groups.stream().limit(query.n())
                    .map(group -> TopView.of(group, query.scope().columns())).toList()), next, found.result().all());
        });
    }

    /** Returns the groups that come first, in order; one more than the page holds if there is a next page. */
    Uni<Execution<List<GroupSum>>> execute(TopQuery query) {
        return found(query).map(found -> found.map(Found::first));
    }

    /**
     * The groups that come first.
     *
     * @param all how many there are; null if not all were summed
     */
    private record Found(List<GroupSum> first, @Nullable Long all) {
    }

    private Uni<Execution<Found>> found(TopQuery query) {
        TopGroups top = new TopGroups(query.scope().dataset().measures(), query.grouping(), query.by(), query.ranking());
        return memory.during(held -> query.against().map(against -> movers(query, top, against, held))
                .orElseGet(() -> ranked(query, top, held)));
    }

    private Uni<Execution<Found>> ranked(TopQuery query, TopGroups top, HeldMemory.Share held) {
        int wanted = query.n() + 1;
        return leaderboard.answer(query.rank(), query.options(),
                (rank, options) -> leaderboard.first(query, rank, wanted, options)
                        .map(found -> found.map(first -> new Found(first, null))),
                found -> query.isSureOf(found.result().first()),
                options -> sums(query, query.period(), options, held)
                        .map(sums -> sums.map(all -> new Found(top.top(all, query.after(), wanted), top.listed(all)))));
    }

    private Uni<Execution<Found>> movers(TopQuery query, TopGroups top, SumRange against, HeldMemory.Share held) {
        return Uni.combine().all()
                .unis(sums(query, query.period(), query.options(), held), sums(query, against, query.options(), held))
                .with((now, before) -> before.map(then -> query.compared().filter(ComparedPeriods::comparable).isEmpty()
                        ? new Found(List.of(), null)
                        : new Found(top.movers(now.result(), then, query.n()), null)).after(now));
    }

    /** Returns all sums, on a worker thread. */
    private Uni<Execution<Map<Label, MeasureValues>>> sums(TopQuery query, SumRange range, QueryOptions options,
            HeldMemory.Share held) {
        return gatherer.answer(GatherRequest.all(query.scope(), query.plan(range), options),
                GroupSums.picked(query.grouping(), held, Function.identity()));
    }

}
