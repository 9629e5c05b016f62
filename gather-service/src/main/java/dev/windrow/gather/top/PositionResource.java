package dev.windrow.gather.top;

import java.math.BigDecimal;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;

import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.MediaType;

import org.eclipse.microprofile.openapi.annotations.Operation;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.jspecify.annotations.Nullable;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonInclude;

import dev.windrow.dataset.Column;
import dev.windrow.gather.plan.MeasureValues;
import dev.windrow.gather.plan.QueryContext.QueryOptions;
import dev.windrow.gather.plan.QueryKind;
import dev.windrow.gather.plan.RankPlan.RankOrder;
import dev.windrow.gather.plan.RankPlan.RankOrder.Place;
import dev.windrow.gather.read.Execution;
import dev.windrow.gather.read.GatherReport.Warning;
import dev.windrow.gather.read.Gatherer;
import dev.windrow.gather.read.Gatherer.GatherRequest;
import dev.windrow.gather.read.HeldMemory;
import dev.windrow.gather.render.BucketView.MeasuresView;
import dev.windrow.gather.render.CacheHeaders.CacheLifetime;
import dev.windrow.gather.render.CacheHeaders.Cacheable;
import dev.windrow.gather.render.Page;
import dev.windrow.gather.render.Page.QueryExplanation;
import dev.windrow.gather.request.ApiRequest;
import dev.windrow.gather.request.RequestParser;
import dev.windrow.gather.top.TopResource.GroupSums;
import dev.windrow.table.Label;
import io.quarkus.runtime.annotations.RegisterForReflection;
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

    /**
     * The place of a label in a list, with its neighbors. Labels with equal values share a place, and the places after it are
     * skipped: 1, 2, 2, 4.
     *
     * @param own the label itself; empty if it has no value
     * @param items the label and its neighbors, in order; none if it has no value
     */
    public record Position(Optional<PlaceView> own, List<PlaceView> items) {

        public static final Position NONE = new Position(Optional.empty(), List.of());

        /** Finds a label among all labels of the list. */
        public static Position among(Map<Label, MeasureValues> sums, Label label, Column by, RankOrder order, int around) {
            List<Place> all = new ArrayList<>();
            sums.forEach((any, values) -> values.shown(by).ifPresent(number -> all.add(new Place(number, any))));
            all.sort(order.places());
            int at = all.stream().map(Place::label).toList().indexOf(label);
            if (at < 0) {
                return NONE;
            }
            int from = Math.max(0, at - around);
            BigDecimal first = all.get(from).number();
            long place = 1 + all.stream().filter(any -> order.numbers().compare(any.number(), first) < 0).count();
            List<PlaceView> items = new ArrayList<>();
            for (int i = from; i < Math.min(all.size(), at + around + 1); i++) {
                Place each = all.get(i);
                place = i == from || order.numbers().compare(all.get(i - 1).number(), each.number()) == 0 ? place : i + 1;
                items.add(PlaceView.of(place, each));
            }
            return new Position(Optional.of(items.get(at - from)), items);
        }

        /**
         * The labels on one side of the label.
         *
         * @param nearest the nearest labels, nearest first
         * @param counts number of labels on this side by number, from the label's own up to that of the last of the nearest
         */
        public record Side(List<Place> nearest, SortedMap<BigDecimal, Integer> counts) {

            /** How many labels are nearer than those with a number, not counting those with the label's own number. */
            private long nearer(BigDecimal own, BigDecimal number) {
                return counts.headMap(number).entrySet().stream().filter(entry -> entry.getKey().compareTo(own) != 0)
                        .mapToLong(Map.Entry::getValue).sum();
            }

            /** How many labels, up to the last of the nearest, have a number other than the label's own. */
            private long others(BigDecimal own) {
                BigDecimal last = nearest.isEmpty() ? own : nearest.get(nearest.size() - 1).number();
                return last.compareTo(own) == 0 ? 0 : nearer(own, last) + with(last);
            }

            private long with(BigDecimal number) {
                return counts.getOrDefault(number, 0);
            }
        }

        /**
         * Combines the reads around a label. They are from different moments, so there may be more labels before it than were
         * counted.
         *
         * @param ahead number of labels counted ahead of its number
         */
        public static Position of(Place own, long ahead, Side before, Side after) {
            long place = 1 + Math.max(ahead, before.others(own.number()));
            long equals = 1 + before.with(own.number()) + after.with(own.number());
            List<PlaceView> items = new ArrayList<>();
            for (Place other : before.nearest()) {
                boolean equal = other.number().compareTo(own.number()) == 0;
                items.add(PlaceView.of(equal ? place
                        : place - before.nearer(own.number(), other.number()) - before.with(other.number()), other));
            }
            Collections.reverse(items);
            PlaceView self = PlaceView.of(place, own);
            items.add(self);
            for (Place other : after.nearest()) {
                boolean equal = other.number().compareTo(own.number()) == 0;
                items.add(PlaceView.of(equal ? place : place + equals + after.nearer(own.number(), other.number()), other));
            }
            return new Position(Optional.of(self), items);
        }
    }

    /**
     * A label in the list.
     *
     * @param place counted from 1
     * @param value the number it is ordered by
     */
    @RegisterForReflection
    @Schema(name = "Place")
    public record PlaceView(@Schema(examples = "1") long place,
            @Schema(examples = "[\"https://example.com/\"]") List<String> label, @Schema(examples = "512") BigDecimal value) {

        static PlaceView of(long place, Place of) {
            return new PlaceView(place, of.label().values(), MeasuresView.number(of.number()));
        }
    }

    /**
     * The place of a label; other fields as in {@link Page}.
     *
     * @param by the measure it is ordered by
     * @param place counted from 1; null if it has no value
     * @param value the number it is ordered by; null if it has none
     * @param items the label and its neighbors, in order
     */
    @RegisterForReflection
    @Schema(name = "Position")
    public record PositionView(
            @Schema(examples = "[\"https://example.org/\"]") List<String> label,
            @Schema(examples = "events") String by,
            @Schema(examples = "2") @Nullable Long place,
            @Schema(examples = "300") @Nullable BigDecimal value,
            List<PlaceView> items,
            @Schema(examples = "true") boolean complete,
            @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable Instant asOf,
            List<Warning> warnings,
            @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable QueryExplanation explain,
            @JsonIgnore @Schema(hidden = true) CacheLifetime cacheLifetime) implements Cacheable {

        public static PositionView of(PositionQuery query, Execution<Position> execution, CacheLifetime cacheLifetime) {
            Position position = execution.result();
            return new PositionView(query.label().values(), query.by().name(),
                    position.own().map(PlaceView::place).orElse(null), position.own().map(PlaceView::value).orElse(null),
                    position.items(), execution.isComplete(), execution.asOf().orElse(null), execution.warnings(),
                    QueryExplanation.requested(query, execution), cacheLifetime);
        }
    }
}
