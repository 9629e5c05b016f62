package dev.windrow.gather.top;

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
import dev.windrow.gather.fanout.HeldMemory;
import dev.windrow.gather.parameter.QueryKind;
import dev.windrow.gather.plan.QueryOptions;
import dev.windrow.gather.rank.RankOrder;
import dev.windrow.gather.request.ApiRequest;
import dev.windrow.gather.request.RequestParser;
import io.smallrye.mutiny.Uni;

/** The place of one label by a measure, and its neighbors. */
@Path("/api/v1/datasets/{dataset}/position")
@Produces(MediaType.APPLICATION_JSON)
@Consumes(MediaType.APPLICATION_JSON)
public class PositionResource {

    private final RequestParser requests;
    private final Gatherer gatherer;
    private final Leaderboard leaderboard;
    private final HeldMemory memory;

    PositionResource(RequestParser requests, Gatherer gatherer, Leaderboard leaderboard, HeldMemory memory) {
        this.requests = requests;
        this.gatherer = gatherer;
        this.leaderboard = leaderboard;
        this.memory = memory;
    }

    @GET
    @Operation(operationId = "position", summary = "One label's place by a measure, and its neighbors")
    public Uni<PositionView> position(@PathParam("dataset") String dataset) {
        ApiRequest<PositionQuery> request = requests.read(QueryKind.POSITION, dataset, PositionQuery::of);
        PositionQuery query = request.query();
        return find(query).map(execution -> PositionView.of(query, execution,
                request.cacheLifetime(query.latestRange(), query.options(), execution)));
    }

    /** Finds the place of a label: in a leaderboard if there is one, else among the sums of all labels. */
    Uni<Execution<Position>> find(PositionQuery query) {
        return leaderboard.answer(query.rank(), query.options(), (rank, options) -> leaderboard.find(query, rank, options),
                any -> true,
                options -> memory.during(held -> gathered(query, options, held)));
    }

    private Uni<Execution<Position>> gathered(PositionQuery query, QueryOptions options, HeldMemory.Share held) {
        return Uni.createFrom().deferred(() -> gatherer.answer(GatherRequest.all(query.scope(), query.plan(), options),
                GroupSums.picked(query.grouping(), held, sums -> Position.among(sums, query.label(), query.by(),
                        RankOrder.of(query.ranking()), query.around()))));
    }

}
