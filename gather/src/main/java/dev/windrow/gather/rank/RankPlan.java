package dev.windrow.gather.rank;

import java.math.BigDecimal;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

import dev.windrow.dataset.Column;
import dev.windrow.dataset.Measure;
import dev.windrow.dataset.Rank;
import dev.windrow.gather.plan.DatasetScope;
import dev.windrow.gather.plan.ItemFilter;
import dev.windrow.gather.plan.QueryOptions;
import dev.windrow.gather.plan.QueryPlan;
import dev.windrow.gather.plan.ReadSource;
import dev.windrow.gather.plan.ShardQuery;
import dev.windrow.gather.plan.TableFreshness;
import dev.windrow.gather.plan.Tiling;
import dev.windrow.gather.range.Horizons;
import dev.windrow.gather.range.SumRange;
import dev.windrow.gather.range.TimeRange;
import dev.windrow.table.RankKey;
import dev.windrow.time.Granularity;

/**
 * Plans reads of one leaderboard: the labels of one bucket that share their first values, in the order of a measure.
 *
 * @param within the values that the labels share
 */
public record RankPlan(DatasetScope scope, Rank rank, Measure by, Granularity granularity, Instant start, List<String> within) {

    /**
     * The leaderboard for exactly the bucket of a range and the labels that begin with some values; empty if there is none, or
     * the range is not one bucket.
     */
    public static Optional<RankPlan> of(DatasetScope scope, List<Granularity> stored, Column by, SumRange sums,
            List<String> within, Horizons horizons) {
        if (by.isRatio() || scope.dataset().ranks().isEmpty() || sums.range().isEmpty() || sums.parts().size() != 1) {
            return Optional.empty();
        }
        List<Tiling> tiles = Tiling.of(stored, sums.parts().get(0), TableFreshness.UNKNOWN, horizons);
        if (tiles.size() != 1) {
            return Optional.empty();
        }
        Granularity granularity = tiles.get(0).granularity();
        TimeRange starts = tiles.get(0).range();
        Instant start = granularity.equals(Granularity.FOREVER) ? Instant.EPOCH : TimeRange.ceiling(granularity, starts.from());
        boolean oneBucket = !granularity.end(start).isBefore(starts.to());
        return scope.dataset().rank(by.name(), granularity)
                .filter(rank -> oneBucket && rank.within().size() == within.size())
                .map(rank -> new RankPlan(scope, rank, scope.dataset().measures().get(by.of()), granularity, start, within));
    }

    /**
     * The reads from a value on, in the order of values.
     *
     * @param value as answers show it: values below a floor are shown as zero, so reads from zero upwards include all of them
     */
    public QueryPlan.Stage from(Optional<BigDecimal> value, boolean descending, QueryOptions options) {
        String bound = value.filter(from -> descending || !by.floored() || from.signum() > 0).map(BigDecimal::toPlainString)
                .orElse("");
        return stage(ReadSource.RANK, descending ? "" : bound, descending ? bound : "", descending, options);
    }

    /** The reads that count the labels above or below a value. Nothing is below a floor, so there is nothing to read then. */
    public QueryPlan.Stage beyond(BigDecimal value, boolean above, QueryOptions options) {
        if (!above && by.floored() && value.signum() <= 0) {
            return new QueryPlan.Stage(granularity, List.of());
        }
        String bound = value.toPlainString();
        return stage(ReadSource.RANK_COUNT, above ? bound : "", above ? "" : bound, true, options);
    }

    private QueryPlan.Stage stage(ReadSource source, String from, String to, boolean descending, QueryOptions options) {
        Instant until = TimeRange.earlier(granularity.end(start), TimeRange.END);
        QueryPlan.Stage stage = new QueryPlan.Stage(granularity, IntStream.range(0, rank.width())
                .mapToObj(shard -> new ShardQuery(source, shard,
                        RankKey.partitionKey(scope.tenant(), scope.dataset().name(), granularity, start, within, shard),
                        from, to, descending, false, until, List.of(), ItemFilter.ALL, by.name()))
                .toList());
        return options.freshness().mayLag(granularity, until) ? stage.lagging() : stage;
    }

}
