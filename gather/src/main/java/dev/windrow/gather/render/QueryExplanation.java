package dev.windrow.gather.render;

import java.math.BigDecimal;
import java.time.Instant;
import java.util.List;

import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.jspecify.annotations.Nullable;

import com.fasterxml.jackson.annotation.JsonInclude;

import dev.windrow.base.Decimals;
import dev.windrow.gather.fanout.Execution;
import dev.windrow.gather.fanout.GatherReport;
import dev.windrow.gather.plan.DatasetScope;
import dev.windrow.gather.plan.QueryOptions;
import dev.windrow.gather.plan.QueryPlan;
import dev.windrow.gather.plan.RangeQuery;
import dev.windrow.gather.plan.ShardQuery;
import dev.windrow.gather.plan.TableFreshness;
import dev.windrow.gather.range.Horizons;
import dev.windrow.gather.range.TimeRange;
import dev.windrow.table.Utf8Order;
import io.quarkus.runtime.annotations.RegisterForReflection;

/**
 * How an answer was gathered.
 *
 * @param choice why this dataset was chosen
 * @param plan the stages, each of one granularity and width
 * @param lagging the granularities that lag
 * @param horizons the first existing bucket start of each granularity that is not kept for ever
 * @param items items read, before filtering and before key shards are merged
 * @param dropped items read of labels that were not requested
 * @param readUnits read units consumed, as reported by DynamoDB; abandoned reads may have consumed more
 * @param waitedMillis time spent waiting for admission
 * @param gatheredMillis time spent reading and merging
 */
@RegisterForReflection
public record QueryExplanation(@Schema(examples = "clicks") String dataset,
        @Schema(examples = "the dataset of the request") String choice, List<StageView> plan, List<LagView> lagging,
        List<HorizonView> horizons,
        int shards,
        long pages,
        long items, long dropped, BigDecimal readUnits, long waitedMillis,
        long gatheredMillis) {

    /**
     * A stage of the plan.
     *
     * @param source the table, the index, or the index of a leaderboard (rank)
     * @param fromKey lowest sort key; for a leaderboard the lowest value, or empty without a lower bound
     * @param toKey highest sort key; for a leaderboard the highest value, or empty without an upper bound
     * @param shards number of shards that hold them; if only some labels of a partition of the table are read, bucket
     *        by bucket, number of ranges
     * @param asOf events that a writer claimed before this time are in these buckets; absent if unknown
     */
    @RegisterForReflection
    public record StageView(@Schema(examples = "index") String source, @Schema(examples = "hour") String granularity,
            String fromKey, String toKey, @Schema(examples = "10") int shards,
            @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable Instant asOf) {

        static StageView of(QueryPlan.Stage stage, TableFreshness freshness) {
            ShardQuery first = stage.shards().get(0);
            return new StageView(switch (first.source()) {
                case TABLE -> "table";
                case INDEX -> "index";
                case RANK, RANK_COUNT -> "rank";
            }, stage.granularity().name(),
                    stage.shards().stream().map(ShardQuery::fromKey).min(Utf8Order.ASCENDING).orElseThrow(),
                    stage.shards().stream().map(ShardQuery::toKey).max(Utf8Order.ASCENDING).orElseThrow(),
                    stage.shards().size(), freshness.asOf(stage.granularity(), stage.until()).orElse(null));
        }
    }

    /**
     * A granularity of the dataset whose buckets may lack claimed events from some start on. Sums read finer buckets
     * instead if those are fresher and few.
     *
     * @param from the earliest start
     * @param asOf events that a writer claimed before this time are in its buckets
     */
    @RegisterForReflection
    public record LagView(@Schema(examples = "day") String granularity, Instant from, Instant asOf) {

        static List<LagView> of(DatasetScope scope, TableFreshness freshness) {
            return scope.dataset().granularities().stream()
                    .filter(granularity -> freshness.lagsFrom(granularity).isBefore(TimeRange.END))
                    .flatMap(granularity -> freshness.asOf(granularity, TimeRange.END).stream()
                            .map(asOf -> new LagView(granularity.name(), freshness.lagsFrom(granularity), asOf)))
                    .toList();
        }
    }

    /**
     * A granularity of the dataset that is not kept for ever.
     *
     * @param from the first bucket start that exists
     */
    @RegisterForReflection
    public record HorizonView(@Schema(examples = "minute") String granularity, Instant from) {

        static List<HorizonView> of(Horizons horizons) {
            return horizons.retention().kept().keySet().stream()
                    .map(granularity -> new HorizonView(granularity.name(), horizons.of(granularity))).toList();
        }
    }

    private static String choice(DatasetScope scope) {
        return scope.dataset().equals(scope.named())
                ? "the dataset of the request" + (scope.lagging() == null ? ""
                        : ", as the roll-up " + scope.lagging().name() + " lags and has no finer buckets")
                : "the roll-up of " + scope.named().name() + " with the fewest label attributes ("
                        + scope.dataset().label().size() + " of " + scope.named().label().size() + ") that can answer";
    }

    /** Returns how an execution gathered its plans, or null if the query does not request it. */
    public static @Nullable QueryExplanation requested(RangeQuery query, Execution<?> execution) {
        return query.options().explain() ? of(query.scope(), query.options(), execution) : null;
    }

    /** Returns how an execution gathered its plans: costs are summed, and times are those of the slowest plan. */
    public static QueryExplanation of(DatasetScope scope, QueryOptions options, Execution<?> execution) {
        List<Execution.Read> reads = execution.reads();
        TableFreshness freshness = execution.reports().stream().map(GatherReport::freshness).findFirst()
                .orElse(TableFreshness.UNKNOWN);
        List<GatherReport> reports = reads.stream().map(Execution.Read::report).toList();
        return new QueryExplanation(scope.dataset().name(), choice(scope),
                reads.stream().flatMap(read -> read.plan().stages().stream()).filter(stage -> !stage.shards().isEmpty())
                        .map(stage -> StageView.of(stage, freshness)).toList(),
                LagView.of(scope, freshness), HorizonView.of(options.horizons()),
                reports.stream().mapToInt(GatherReport::shards).sum(),
                reports.stream().mapToLong(GatherReport::pages).sum(),
                reports.stream().mapToLong(GatherReport::items).sum(),
                reports.stream().mapToLong(GatherReport::dropped).sum(),
                new BigDecimal(Decimals.canonical(
                        BigDecimal.valueOf(reports.stream().mapToDouble(GatherReport::readUnits).sum()))),
                reads.stream().mapToLong(read -> read.waited().toMillis()).max().orElse(0),
                reads.stream().mapToLong(read -> read.gathered().toMillis()).max().orElse(0));
    }
}
