package dev.windrow.gather.query;

import java.util.List;
import java.util.Optional;

import dev.windrow.dataset.Measure;
import dev.windrow.table.Label;

/**
 * Which groups of labels have series of their own.
 *
 * @param grouping how labels are grouped
 * @param by the measure that groups are ordered by
 * @param n how many have series of their own: those with the highest totals over the range
 * @param other whether all others have a series together
 */
public record SeriesGroups(Grouping grouping, Measure by, int n, boolean other) {

    private static final List<QueryParameter> DETAILS = List.of(QueryParameter.BY, QueryParameter.N, QueryParameter.OTHER,
            QueryParameter.GROUP_BY, QueryParameter.LEAST);

    public enum Group {
        TOP
    }

    static Optional<SeriesGroups> of(DatasetScope scope, Parameters parameters, QueryContext context) {
        Optional<Group> group = parameters.choice(QueryParameter.GROUP, Group.values());
        if (group.isEmpty()) {
            DETAILS.stream().filter(parameters::has).findFirst().ifPresent(detail -> {
                throw Parameters.invalid(detail, "expected none without group=top");
            });
            return Optional.empty();
        }
        return Optional.of(new SeriesGroups(Grouping.of(scope, parameters, context), scope.by(parameters),
                TopQuery.n(parameters, context), parameters.flag(QueryParameter.OTHER, false)));
    }

    /** The group of a label. */
    public Label group(Label label) {
        return grouping.group(label);
    }
}
