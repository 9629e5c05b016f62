package dev.windrow.gather.top;

import java.util.List;
import java.util.Optional;

import dev.windrow.dataset.Column;
import dev.windrow.dataset.Rank;
import dev.windrow.gather.label.LabelSelection;
import dev.windrow.gather.parameter.Parameters;
import dev.windrow.gather.parameter.QueryParameter;
import dev.windrow.gather.plan.DatasetScope;
import dev.windrow.gather.plan.PeriodQuery;
import dev.windrow.gather.plan.Planner;
import dev.windrow.gather.plan.QueryContext;
import dev.windrow.gather.plan.QueryOptions;
import dev.windrow.gather.plan.QueryPlan;
import dev.windrow.gather.range.SumRange;
import dev.windrow.gather.range.SummedRange;
import dev.windrow.gather.range.TimeParameters;
import dev.windrow.gather.rank.RankPlan;
import dev.windrow.gather.rank.Ranking;
import dev.windrow.table.Label;

/**
 * The place of a label, by a measure over a range, among the labels that begin with the same values, and its neighbors.
 *
 * @param label the whole label
 * @param within number of its first values that the other labels share
 * @param around number of neighbors on each side
 * @param period the range, aligned to the finest available granularity
 * @param maxLabels maximum number of labels that are summed to find the place; each is held in memory
 */
public record PositionQuery(DatasetScope scope, Label label, int within, Column by, Ranking ranking, int around,
        SumRange period, int maxLabels, QueryOptions options) implements PeriodQuery {

    private static final int DEFAULT_AROUND = 5;
    public static final int MAX_AROUND = 100;

    public static PositionQuery of(DatasetScope scope, Parameters parameters, QueryContext context) {
        List<String> values = parameters.texts(QueryParameter.LABEL);
        List<String> declared = scope.dataset().label();
        if (values.size() != declared.size()) {
            throw Parameters.invalid(QueryParameter.LABEL,
                    "expected all values of the label (" + String.join(", ", declared) + "), found "
                            + values.size() + (values.size() == 1 ? " value" : " values"));
        }
        scope.selection(values);
        Column by = scope.by(parameters);
        Ranking ranking = Ranking.of(parameters);
        if (ranking == Ranking.MAGNITUDE) {
            throw Parameters.invalid(QueryParameter.ORDER, "expected desc or asc");
        }
        int within = within(scope, by, parameters);
        TimeParameters times = context.times(parameters);
        SummedRange summed = scope.summed(scope.stored(scope.selection(values.subList(0, within))), times,
                context.horizons(scope));
        return new PositionQuery(scope, new Label(values), within, by, ranking,
                parameters.integer(QueryParameter.AROUND, 0, MAX_AROUND, DEFAULT_AROUND),
                SumRange.of(summed, times), context.limits().maxLabels(), QueryOptions.of(parameters, context,
                        summed.horizons()));
    }

    /** Defaults to the declaration of the leaderboard by the measure. */
    private static int within(DatasetScope scope, Column by, Parameters parameters) {
        List<String> declared = scope.dataset().label();
        List<String> names = parameters.texts(QueryParameter.WITHIN);
        if (names.isEmpty()) {
            return scope.dataset().ranks().stream().filter(rank -> rank.by().equals(by.name())).findFirst()
                    .map(Rank::within).orElse(List.of()).size();
        }
        if (names.size() >= declared.size() || !declared.subList(0, names.size()).equals(names)) {
            throw Parameters.invalid(QueryParameter.WITHIN, "expected the first attributes of the label in their order ("
                    + String.join(", ", declared) + "), but not all of them");
        }
        return names.size();
    }

    /** Returns the leaderboard that has the labels in this order; empty if none is kept. */
    public Optional<RankPlan> rank() {
        return RankPlan.of(scope, scope.stored(others()), by, period, others().values(), options.horizons());
    }

    /** Returns the reads of all the labels: the coarsest available buckets that tile the range, finer ones at its edges. */
    public QueryPlan plan() {
        return new Planner(scope, others(), options).tiled(scope.stored(others()), period);
    }

    private LabelSelection others() {
        return scope.selection(label.values().subList(0, within));
    }

    /** Each label is a group of its own. */
    public Grouping grouping() {
        return new Grouping(Optional.empty(), Optional.empty(), maxLabels);
    }
}
