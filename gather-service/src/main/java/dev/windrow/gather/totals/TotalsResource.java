package dev.windrow.gather.totals;

import java.math.BigDecimal;
import java.math.MathContext;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

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
import dev.windrow.gather.plan.Bucket;
import dev.windrow.gather.plan.DatasetScope;
import dev.windrow.gather.plan.MeasureValues;
import dev.windrow.gather.plan.QueryContext.QueryOptions;
import dev.windrow.gather.plan.QueryKind;
import dev.windrow.gather.plan.QueryPlan;
import dev.windrow.gather.plan.TimeRange;
import dev.windrow.gather.read.Execution;
import dev.windrow.gather.read.GatherReport.Warning;
import dev.windrow.gather.read.Gatherer;
import dev.windrow.gather.read.Gatherer.GatherRequest;
import dev.windrow.gather.render.BucketView.MeasuresView;
import dev.windrow.gather.render.CacheHeaders.CacheLifetime;
import dev.windrow.gather.render.CacheHeaders.Cacheable;
import dev.windrow.gather.render.Page;
import dev.windrow.gather.render.Page.QueryExplanation;
import dev.windrow.gather.request.ApiRequest;
import dev.windrow.gather.request.RequestParser;
import dev.windrow.gather.totals.TotalsQuery.CompareQuery;
import io.quarkus.runtime.annotations.RegisterForReflection;
import io.smallrye.mutiny.Uni;

/** Totals of one label, or of many together, over a range, and compared with another range. */
@Path("/api/v1/datasets/{dataset}")
@Produces(MediaType.APPLICATION_JSON)
@Consumes(MediaType.APPLICATION_JSON)
public class TotalsResource {

    private final RequestParser requests;
    private final Gatherer gatherer;

    TotalsResource(RequestParser requests, Gatherer gatherer) {
        this.requests = requests;
        this.gatherer = gatherer;
    }

    @GET
    @Path("totals")
    @Operation(operationId = "totals", summary = "Totals of one label, or of many together, over a range")
    public Uni<TotalsView> totals(@PathParam("dataset") String dataset) {
        ApiRequest<TotalsQuery> request = requests.read(QueryKind.TOTALS, dataset, TotalsQuery::of);
        TotalsQuery query = request.query();
        return sum(query.scope(), query.plan(), query.options()).map(execution -> TotalsView.of(query, execution,
                request.cacheLifetime(query.latestRange(), query.options(), execution)));
    }

    @GET
    @Path("compare")
    @Operation(operationId = "compare", summary = "This period against another")
    public Uni<CompareView> compare(@PathParam("dataset") String dataset) {
        ApiRequest<CompareQuery> request = requests.read(QueryKind.COMPARE, dataset, CompareQuery::of);
        CompareQuery query = request.query();
        return Uni.combine().all().unis(sum(query.scope(), query.plan(query.periods().period()), query.options()),
                sum(query.scope(), query.plan(query.periods().against()), query.options()))
                .with((period, against) -> CompareView.of(query, period, against,
                        request.cacheLifetime(query.periods().later(), query.options(), against.after(period))));
    }

    private Uni<Execution<MeasureValues>> sum(DatasetScope scope, QueryPlan plan, QueryOptions options) {
        MeasureValues nothing = MeasureValues.none(scope.dataset().measures());
        return gatherer.answer(GatherRequest.all(scope, plan, options), buckets -> buckets.map(Bucket::values)
                .collect().with(Collectors.reducing(nothing, MeasureValues::combine)));
    }

    /**
     * Totals of one label, or of many together; other fields as in {@link Page}.
     *
     * @param label the first values that the labels share; all values for one label
     * @param from earliest bucket start; absent for all time
     * @param to latest bucket start, exclusive; absent if open
     * @param measures all measures; those without a value are 0 if they add up, else null
     */
    @RegisterForReflection
    public record TotalsView(
            @Schema(examples = "[\"https://example.org/\"]") List<String> label,
            @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable Instant from,
            @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable Instant to,
            @Schema(examples = "{\"events\":3,\"bytes\":15360}") Map<String, @Nullable BigDecimal> measures,
            @Schema(examples = "true") boolean complete,
            @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable Instant asOf,
            List<Warning> warnings,
            @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable QueryExplanation explain,
            @JsonIgnore @Schema(hidden = true) CacheLifetime cacheLifetime) implements Cacheable {

        static TotalsView of(TotalsQuery query, Execution<MeasureValues> execution, CacheLifetime cacheLifetime) {
            TimeRange range = query.range();
            return new TotalsView(query.selection().values(), range.from().equals(TimeRange.ALL.from()) ? null : range.from(),
                    range.to().equals(TimeRange.END) ? null : range.to(),
                    MeasuresView.total(execution.result(), query.scope().columns()), execution.isComplete(),
                    execution.asOf().orElse(null), execution.warnings(), QueryExplanation.requested(query, execution),
                    cacheLifetime);
        }
    }

    /**
     * One period against another; other fields as in {@link Page}, for both.
     *
     * @param against the other period
     * @param change by measure, from the other period to the requested one; null if either has no value, or if the other period
     *        has expired
     */
    @RegisterForReflection
    @Schema(name = "Comparison")
    public record CompareView(PeriodView period, PeriodView against, Map<String, @Nullable ChangeView> change,
            @Schema(examples = "true") boolean complete,
            @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable Instant asOf, List<Warning> warnings,
            @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable List<QueryExplanation> explain,
            @JsonIgnore @Schema(hidden = true) CacheLifetime cacheLifetime) implements Cacheable {

        /**
         * A period.
         *
         * @param from its start
         * @param to its end, exclusive; absent if open
         * @param measures all measures; those without a value are 0 if they add up, else null
         */
        @RegisterForReflection
        @Schema(name = "Period")
        public record PeriodView(Instant from, @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable Instant to,
                @Schema(examples = "{\"events\":300}") Map<String, @Nullable BigDecimal> measures) {

            static PeriodView of(TimeRange range, MeasureValues values, List<Column> columns) {
                return new PeriodView(range.from(), range.to().equals(TimeRange.END) ? null : range.to(),
                        MeasuresView.total(values, columns));
            }
        }

        /**
         * The change of a measure.
         *
         * @param absolute now minus then
         * @param relative the same as a share of the size then (0.5 is half more), rounded to 34 digits; null if that was zero
         */
        @RegisterForReflection
        @Schema(name = "Change")
        public record ChangeView(@Schema(examples = "100") BigDecimal absolute,
                @Schema(examples = "0.5") @Nullable BigDecimal relative) {

            static ChangeView of(BigDecimal before, BigDecimal after) {
                BigDecimal absolute = after.subtract(before);
                return new ChangeView(MeasuresView.number(absolute), before.signum() == 0
                        ? null
                        : MeasuresView.number(absolute.divide(before.abs(), MathContext.DECIMAL128)));
            }
        }

        static CompareView of(CompareQuery query, Execution<MeasureValues> now, Execution<MeasureValues> then,
                CacheLifetime cacheLifetime) {
            PeriodView period = PeriodView.of(query.periods().period().range(), now.result(), query.scope().columns());
            PeriodView against = PeriodView.of(query.periods().against().range(), then.result(), query.scope().columns());
            Execution<?> both = then.after(now);
            return new CompareView(period, against,
                    query.periods().comparable() ? changes(against.measures(), period.measures()) : unknown(period),
                    both.isComplete(),
                    both.asOf().orElse(null), both.warnings(), query.options().explain()
                            ? List.of(QueryExplanation.of(query.scope(), query.options(), now),
                                    QueryExplanation.of(query.scope(), query.options(), then))
                            : null,
                    cacheLifetime);
        }

        private static Map<String, @Nullable ChangeView> unknown(PeriodView period) {
            Map<String, @Nullable ChangeView> changes = new LinkedHashMap<>();
            period.measures().keySet().forEach(measure -> changes.put(measure, null));
            return changes;
        }

        public static Map<String, @Nullable ChangeView> changes(Map<String, @Nullable BigDecimal> before,
                Map<String, @Nullable BigDecimal> after) {
            Map<String, @Nullable ChangeView> changes = new LinkedHashMap<>();
            after.forEach((measure, now) -> {
                BigDecimal then = before.get(measure);
                changes.put(measure, now == null || then == null ? null : ChangeView.of(then, now));
            });
            return changes;
        }
    }
}
