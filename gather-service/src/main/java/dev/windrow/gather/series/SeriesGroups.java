package dev.windrow.gather.series;

import java.util.List;
import java.util.Optional;

import dev.windrow.dataset.Column;
import dev.windrow.gather.parameter.Parameters;
import dev.windrow.gather.parameter.QueryParameter;
import dev.windrow.gather.plan.DatasetScope;
import dev.windrow.gather.plan.QueryContext;
import dev.windrow.gather.top.Grouping;
import dev.windrow.gather.top.TopQuery;
import dev.windrow.table.Label;

/**
 * The groups of labels that have series of their own.
 *
 * @param n number of groups with series of their own: those with the highest totals over the range
 * @param other whether all other groups together have a series
 */
public record SeriesGroups(Grouping grouping, Column by, int n, boolean other) {

    private static final List<QueryParameter> DETAILS = List.of(QueryParameter.BY, QueryParameter.N, QueryParameter.OTHER,
            QueryParameter.GROUP_BY, QueryParameter.LEAST);

    public enum Group {
        TOP
    }

    static Optional<SeriesGroups> of(DatasetScope scope, Parameters parameters, QueryContext context) {
        Optional<Group> group = parameters.choice(QueryParameter.GROUP, Group.values());
        if (group.isEmpty()) {
            DETAILS.stream().filter(parameters::has).findFirst().ifPresent(detail -> {
                throw Parameters.invalid(detail, "needs `group=top`");
            });
            return Optional.empty();
        }
        return Optional.of(new SeriesGroups(Grouping.of(scope, parameters, context), scope.by(parameters),
                TopQuery.n(parameters, context), parameters.flag(QueryParameter.OTHER, false)));
    }

    public Label group(Label label) {
        return grouping.group(label);
    }
}
