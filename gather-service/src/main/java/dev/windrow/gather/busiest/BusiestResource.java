package dev.windrow.gather.busiest;

import java.math.BigDecimal;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.PriorityQueue;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import jakarta.enterprise.context.ApplicationScoped;
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

import dev.windrow.dataset.Dataset;
import dev.windrow.dataset.Granularity;
import dev.windrow.gather.busiest.BusiestQuery.Profile;
import dev.windrow.gather.plan.Bucket;
import dev.windrow.gather.plan.MeasureValues;
import dev.windrow.gather.plan.QueryKind;
import dev.windrow.gather.plan.QueryPlan;
import dev.windrow.gather.read.Execution;
import dev.windrow.gather.read.Gatherer;
import dev.windrow.gather.read.Gatherer.GatherRequest;
import dev.windrow.gather.render.BucketView.MeasuresView;
import dev.windrow.gather.render.LineRenderer;
import dev.windrow.gather.render.LineRenderer.LineFormats;
import dev.windrow.gather.render.LineRenderer.Row;
import dev.windrow.gather.render.Page;
import dev.windrow.gather.request.ApiRequest;
import dev.windrow.gather.request.ApiRequest.Pages;
import dev.windrow.gather.request.RequestParser;
import io.quarkus.runtime.annotations.RegisterForReflection;
import io.smallrye.mutiny.Multi;
import io.smallrye.mutiny.Uni;

/** The busiest buckets, all labels together. */
@Path("/api/v1/datasets/{dataset}/busiest")
@Consumes(MediaType.APPLICATION_JSON)
public class BusiestResource {

    private final RequestParser requests;
    private final BusiestExecutor executor;
    private final LineRenderer lines;

    BusiestResource(RequestParser requests, BusiestExecutor executor, LineRenderer lines) {
        this.requests = requests;
        this.executor = executor;
        this.lines = lines;
    }

    @GET
    @Produces(MediaType.APPLICATION_JSON)
    @Operation(operationId = "busiest", summary = "The busiest buckets, or the profile of days or weeks, all labels together")
    public Uni<Page<BusiestView>> busiest(@PathParam("dataset") String dataset) {
        return page(read(dataset));
    }

    @GET
    @Produces(LineFormats.LINES)
    @Operation(hidden = true)
    public RestMulti<byte[]> streamBusiest(@PathParam("dataset") String dataset,
            @Context HttpHeaders headers) {
        ApiRequest<BusiestQuery> request = read(dataset);
        return lines.render(request.csv(headers), BusiestView.columns(request.query()), request.query().scope().named(),
                page(request));
    }

    private ApiRequest<BusiestQuery> read(String dataset) {
        return requests.read(QueryKind.BUSIEST, dataset, BusiestQuery::of);
    }

    private Uni<Page<BusiestView>> page(ApiRequest<BusiestQuery> request) {
        return rows(request.query()).onItem().transform(execution -> Pages.of(request, execution, null));
    }

    private Uni<Execution<List<BusiestView>>> rows(BusiestQuery query) {
        return query.profile()
                .map(profile -> executor.profile(query, profile).onItem().transform(
                        execution -> execution
                                .map(slots -> slots.stream().map(slot -> BusiestView.of(profile, slot)).toList())))
                .orElseGet(() -> executor.busiest(query).onItem().transform(execution -> execution
                        .map(totals -> totals.stream().map(total -> BusiestView.of(query, total)).toList())));
    }

    /** Sums the buckets of all labels, start by start or slot by slot of a profile. */
    @ApplicationScoped
    public static class BusiestExecutor {

        private final Gatherer gatherer;

        BusiestExecutor(Gatherer gatherer) {
            this.gatherer = gatherer;
        }

        /** The busiest buckets, busiest first. */
        public Uni<Execution<List<BusiestBuckets.Total>>> busiest(BusiestQuery query) {
            return execute(query, buckets -> buckets.collect().in(() -> new BusiestBuckets(query), BusiestBuckets::add)
                    .onItem().transform(BusiestBuckets::top));
        }

        /** Every slot of a profile. */
        public Uni<Execution<List<ProfileAggregator.Slot>>> profile(BusiestQuery query, Profile profile) {
            return execute(query,
                    buckets -> buckets.collect().in(() -> new ProfileAggregator(query, profile), ProfileAggregator::add)
                            .onItem().transform(ProfileAggregator::slots));
        }

        private <T> Uni<Execution<T>> execute(BusiestQuery query, Function<Multi<Bucket>, Uni<T>> use) {
            QueryPlan plan = query.plan();
            // In order, as the buckets of one start must come together.
            GatherRequest request = new GatherRequest(query.scope(), plan,
                    GatherRequest.Order.ASCENDING, Long.MAX_VALUE, query.options());
            return gatherer.answer(request, use).onItem().transform(gathered -> Execution.of(plan, gathered));
        }
    }

    /** Sums all labels of each start, which come one start after the other, and keeps the busiest. Constant memory. */
    public static final class BusiestBuckets {

        private final int by;
        private final int n;
        private final Granularity granularity;
        private final Comparator<Total> leastFirst;
        private final PriorityQueue<Total> busiest;
        private @Nullable Total open;

        /**
         * A bucket of all labels.
         *
         * @param start its start
         * @param values its measures
         */
        public record Total(Instant start, MeasureValues values) {
        }

        public BusiestBuckets(BusiestQuery query) {
            this.by = query.scope().dataset().measures().indexOf(query.by());
            this.n = query.n();
            this.granularity = query.granularity();
            // Of equals the earlier is the busier.
            Comparator<Total> byValue = Comparator.comparing(total -> total.values().shown(by).orElseThrow());
            this.leastFirst = byValue.thenComparing(Total::start, Comparator.reverseOrder());
            this.busiest = new PriorityQueue<>(leastFirst);
        }

        /** Adds a bucket; starts must not go down. */
        public void add(Bucket bucket) {
            Total current = open;
            // Where buckets lag, they are summed up from finer ones.
            Instant start = bucket.granularity().equals(granularity) ? bucket.start() : granularity.floor(bucket.start());
            if (current != null && current.start().equals(start)) {
                open = new Total(start, current.values().combine(bucket.values()));
                return;
            }
            keep(current);
            open = new Total(start, bucket.values());
        }

        private void keep(@Nullable Total total) {
            if (total == null || total.values().at(by).isEmpty()) {
                return;
            }
            busiest.add(total);
            if (busiest.size() > n) {
                busiest.remove();
            }
        }

        /** The busiest, busiest first; no more may be added. */
        public List<Total> top() {
            keep(open);
            open = null;
            List<Total> sorted = new ArrayList<>(busiest);
            sorted.sort(Collections.reverseOrder(leastFirst));
            return sorted;
        }
    }

    /** Sums buckets by hour of the day, day of the week or hour of the week. */
    public static final class ProfileAggregator {

        private final BusiestQuery query;
        private final Profile profile;
        private final Map<Integer, MeasureValues> sums = new TreeMap<>();

        public ProfileAggregator(BusiestQuery query, Profile profile) {
            this.query = query;
            this.profile = profile;
        }

        /**
         * One slot.
         *
         * @param slot as numbered by the {@link Profile}
         * @param values its measures over all days or weeks of the range
         */
        public record Slot(int slot, MeasureValues values) {
        }

        /** Adds a bucket. */
        public void add(Bucket bucket) {
            sums.merge(profile.slot(bucket.start(), query.zone()), bucket.values(), MeasureValues::combine);
        }

        /** Every slot in order, including empty ones. */
        public List<Slot> slots() {
            MeasureValues nothing = MeasureValues.none(query.scope().dataset().measures());
            return IntStream.range(profile.first(), profile.first() + profile.size())
                    .mapToObj(slot -> new Slot(slot, sums.getOrDefault(slot, nothing))).toList();
        }
    }

    /**
     * A bucket of all labels together, or a slot of a profile.
     *
     * @param granularity of the bucket; absent in a profile
     * @param start of the bucket; absent in a profile
     * @param hour of the day, 0 to 23; only in profiles of hours
     * @param day of the week, 1 (Monday) to 7; only in profiles of weeks
     * @param measures of all labels; in a profile those without a value are 0 if they add up, else null
     */
    @RegisterForReflection
    @Schema(name = "Busiest")
    public record BusiestView(
            @Schema(examples = "hour") @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable String granularity,
            @Schema(examples = "2026-11-20T10:00:00Z", format = "date-time") @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable String start,
            @Schema(examples = "10") @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable Integer hour,
            @Schema(examples = "5") @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable Integer day,
            @Schema(examples = "{\"events\":300,\"bytes\":1536000}") Map<String, @Nullable BigDecimal> measures)
            implements
                Row {

        public static BusiestView of(BusiestQuery query, BusiestBuckets.Total total) {
            return new BusiestView(query.granularity().name(), total.start().toString(), null, null,
                    MeasuresView.present(total.values()));
        }

        public static BusiestView of(Profile profile, ProfileAggregator.Slot slot) {
            return new BusiestView(null, null, profile.hour(slot.slot()).orElse(null), profile.day(slot.slot()).orElse(null),
                    MeasuresView.total(slot.values()));
        }

        /** Column names. */
        public static List<String> columns(BusiestQuery query) {
            List<String> first = query.profile().map(profile -> switch (profile) {
                case HOUR_OF_DAY -> List.of("hour");
                case DAY_OF_WEEK -> List.of("day");
                case HOUR_OF_WEEK -> List.of("day", "hour");
            }).orElse(List.of("granularity", "start"));
            return Row.columns(query.scope().named(), first);
        }

        @Override
        public List<@Nullable Object> cells(Dataset dataset) {
            List<@Nullable Object> cells = new ArrayList<>();
            if (granularity == null) {
                Stream.of(day, hour).filter(Objects::nonNull).forEach(cells::add);
            } else {
                cells.add(granularity);
                cells.add(start);
            }
            dataset.measures().forEach(measure -> cells.add(measures.get(measure.name())));
            return cells;
        }
    }
}
