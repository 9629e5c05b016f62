package dev.windrow.gather.top;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.LongConsumer;

import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.HttpHeaders;
import jakarta.ws.rs.core.MediaType;

import org.eclipse.microprofile.openapi.annotations.Operation;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.jboss.resteasy.reactive.RestMulti;
import org.jspecify.annotations.Nullable;

import com.fasterxml.jackson.annotation.JsonInclude;

import dev.windrow.base.InvalidInputException;
import dev.windrow.base.Reason;
import dev.windrow.dataset.Column;
import dev.windrow.dataset.Dataset;
import dev.windrow.dataset.Measure;
import dev.windrow.gather.plan.Bucket;
import dev.windrow.gather.plan.MeasureValues;
import dev.windrow.gather.plan.QueryContext.QueryOptions;
import dev.windrow.gather.plan.QueryKind;
import dev.windrow.gather.plan.QueryParameter;
import dev.windrow.gather.plan.RankPlan.RankOrder;
import dev.windrow.gather.plan.RankPlan.RankOrder.Place;
import dev.windrow.gather.plan.RankPlan.Ranking;
import dev.windrow.gather.plan.SumRange;
import dev.windrow.gather.read.Execution;
import dev.windrow.gather.read.Gatherer;
import dev.windrow.gather.read.Gatherer.GatherRequest;
import dev.windrow.gather.read.HeldMemory;
import dev.windrow.gather.read.HeldMemory.HeldSize;
import dev.windrow.gather.render.BucketView.MeasuresView;
import dev.windrow.gather.render.LineRenderer;
import dev.windrow.gather.render.LineRenderer.Layout;
import dev.windrow.gather.render.LineRenderer.LineFormats;
import dev.windrow.gather.render.LineRenderer.Row;
import dev.windrow.gather.render.Page;
import dev.windrow.gather.request.ApiRequest;
import dev.windrow.gather.request.RequestParser;
import dev.windrow.gather.top.TopQuery.Grouping;
import dev.windrow.gather.top.TopQuery.Threshold;
import dev.windrow.gather.totals.ComparedPeriods;
import dev.windrow.gather.totals.TotalsResource.CompareView;
import dev.windrow.gather.totals.TotalsResource.CompareView.ChangeView;
import dev.windrow.table.Label;
import io.quarkus.runtime.annotations.RegisterForReflection;
import io.smallrye.mutiny.Multi;
import io.smallrye.mutiny.Uni;
import io.smallrye.mutiny.infrastructure.Infrastructure;

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
            List<TopGroups.Sum> groups = found.result().first();
            String next = groups.size() <= query.n() ? null : query.next(groups.get(query.n() - 1));
            return ApiRequest.page(request, found.map(all -> groups.stream().limit(query.n())
                    .map(group -> TopView.of(group, query.scope().columns())).toList()), next, found.result().all());
        });
    }

    /** Returns the groups that come first, in order; one more than the page holds if there is a next page. */
    Uni<Execution<List<TopGroups.Sum>>> execute(TopQuery query) {
        return found(query).map(found -> found.map(Found::first));
    }

    /**
     * The groups that come first.
     *
     * @param all how many there are; null if not all were summed
     */
    private record Found(List<TopGroups.Sum> first, @Nullable Long all) {
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

    /** Picks the groups that come first, by a measure or by its change; equal groups are in the order of their labels. */
    public record TopGroups(List<Measure> measures, Grouping grouping, Column by, Ranking ranking) {

        /**
         * A group with its sums.
         *
         * @param label the values that its labels share
         * @param values its measures over the range
         * @param against the same over the range it is compared with; empty if there is none
         */
        public record Sum(Label label, MeasureValues values, Optional<MeasureValues> against) {
        }

        private record Ranked(Sum sum, Place place) {
        }

        /**
         * Returns the first groups after a place, by the measure itself. A count or sum that a group lacks is zero; groups
         * without a value of another measure are left out.
         */
        public List<Sum> top(Map<Label, MeasureValues> sums, Optional<Place> after, int wanted) {
            Comparator<Place> places = RankOrder.of(ranking).places();
            List<Ranked> ranked = new ArrayList<>();
            sums.forEach((label, values) -> {
                if (isListed(values)) {
                    Optional.ofNullable(values.total(by))
                            .map(number -> new Ranked(new Sum(label, values, Optional.empty()), new Place(number, label)))
                            .filter(group -> after.isEmpty() || places.compare(group.place(), after.get()) > 0)
                            .ifPresent(ranked::add);
                }
            });
            return first(ranked, wanted);
        }

        /** How many groups there are in all pages. */
        long listed(Map<Label, MeasureValues> sums) {
            return sums.values().stream().filter(values -> isListed(values) && values.total(by) != null).count();
        }

        /**
         * Returns the first groups by change. A group that is in only one of the ranges has counts and sums of zero in the
         * other. If a measure of another kind has no value in one of them, there is no change, and the group is left out.
         */
        public List<Sum> movers(Map<Label, MeasureValues> now, Map<Label, MeasureValues> then, int wanted) {
            Set<Label> labels = new HashSet<>(now.keySet());
            labels.addAll(then.keySet());
            MeasureValues nothing = MeasureValues.none(measures);
            List<Ranked> ranked = new ArrayList<>();
            for (Label label : labels) {
                MeasureValues after = now.getOrDefault(label, nothing);
                MeasureValues before = then.getOrDefault(label, nothing);
                if (isListed(after) || isListed(before)) {
                    BigDecimal later = after.total(by);
                    BigDecimal earlier = before.total(by);
                    if (later != null && earlier != null) {
                        ranked.add(new Ranked(new Sum(label, after, Optional.of(before)),
                                new Place(later.subtract(earlier), label)));
                    }
                }
            }
            return first(ranked, wanted);
        }

        private List<Sum> first(List<Ranked> ranked, int wanted) {
            return ranked.stream().sorted(Comparator.comparing(Ranked::place, RankOrder.of(ranking).places())).limit(wanted)
                    .map(Ranked::sum).toList();
        }

        private boolean isListed(MeasureValues values) {
            Optional<Threshold> least = grouping.least();
            return least.isEmpty() || Optional.ofNullable(values.total(least.get().column()))
                    .filter(value -> value.compareTo(least.get().atLeast()) >= 0).isPresent();
        }
    }

    /**
     * Sums buckets by group. Exact: every group is summed before any is left out, so memory grows with the number of groups,
     * which is limited.
     */
    public static final class GroupSums {

        private final Grouping grouping;
        private final LongConsumer held;
        final Map<Label, MeasureValues> sums = new HashMap<>();

        /** @param held receives the estimated bytes of each new group, and throws if there is no room for it */
        public GroupSums(Grouping grouping, LongConsumer held) {
            this.grouping = grouping;
            this.held = held;
        }

        /**
         * Picks from the sums of all groups.
         *
         * @param held the memory held by the sums
         * @param pick runs on a worker thread: a million groups take too long for an event loop
         */
        public static <T> Function<Multi<Bucket>, Uni<T>> picked(Grouping grouping, HeldMemory.Share held,
                Function<Map<Label, MeasureValues>, T> pick) {
            return buckets -> buckets.collect().in(() -> new GroupSums(grouping, held::add), GroupSums::add)
                    .emitOn(Infrastructure.getDefaultWorkerPool()).map(all -> pick.apply(all.sums));
        }

        /**
         * Adds a bucket.
         *
         * @throws InvalidInputException with {@link Reason#RANGE_TOO_LONG} if there are too many groups
         */
        public void add(Bucket bucket) {
            Label group = grouping.group(bucket.label());
            int before = sums.size();
            sums.merge(group, bucket.values(), MeasureValues::combine);
            if (sums.size() == before) {
                return;
            }
            try {
                held.accept(HeldSize.of(group.values(), bucket.values()));
            } catch (RuntimeException noRoom) {
                // The memory is no longer reserved, and the failure may take a while to reach the owner of these sums.
                sums.clear();
                throw noRoom;
            }
            if (sums.size() > grouping.maxGroups()) {
                throw new InvalidInputException(Reason.RANGE_TOO_LONG, QueryParameter.PREFIX.word(), "expected at most "
                        + grouping.maxGroups()
                        + " labels in the range: use a shorter range, or select fewer labels with prefix or where");
            }
        }
    }

    /**
     * A group in a top list.
     *
     * @param label the values that its labels share; a whole label if they are not grouped
     * @param measures its measures over the range; one without a value is 0 if it adds up, else absent, or null if ranges are
     *        compared
     * @param against the same over the other range; absent if none is compared
     * @param change by measure, from the other range; null if either has no value; absent if none is compared
     */
    @RegisterForReflection
    @Schema(name = "TopLabel")
    public record TopView(
            @Schema(examples = "[\"https://example.org/\"]") List<String> label,
            @Schema(examples = "{\"events\":300,\"bytes\":1536000}") Map<String, @Nullable BigDecimal> measures,
            @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable Map<String, @Nullable BigDecimal> against,
            @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable Map<String, CompareView.@Nullable ChangeView> change)
            implements
                Row {

        static TopView of(TopGroups.Sum sum, List<Column> columns) {
            if (sum.against().isEmpty()) {
                return new TopView(sum.label().values(), MeasuresView.known(sum.values(), columns), null, null);
            }
            Map<String, @Nullable BigDecimal> now = MeasuresView.total(sum.values(), columns);
            Map<String, @Nullable BigDecimal> then = MeasuresView.total(sum.against().get(), columns);
            return new TopView(sum.label().values(), now, then, CompareView.changes(then, now));
        }

        public static List<String> columns(TopQuery query) {
            Dataset dataset = query.scope().named();
            List<String> columns = Layout.of(dataset).columns(dataset.label());
            if (query.against().isPresent()) {
                dataset.columns().forEach(column -> columns.addAll(List.of("against." + column.name(),
                        "change." + column.name(), "change." + column.name() + ".relative")));
            }
            return columns;
        }

        @Override
        public List<@Nullable Object> cells(Layout layout) {
            List<@Nullable Object> cells = layout.withNumbers(layout.labelCells(label), measures);
            if (against != null && change != null) {
                layout.dataset().columns().forEach(column -> {
                    CompareView.ChangeView changed = change.get(column.name());
                    cells.add(against.get(column.name()));
                    cells.add(changed == null ? null : changed.absolute());
                    cells.add(changed == null ? null : changed.relative());
                });
            }
            return cells;
        }
    }
}
