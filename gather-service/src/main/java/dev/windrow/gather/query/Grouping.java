package dev.windrow.gather.query;

import java.util.List;
import java.util.Optional;

import dev.windrow.table.Label;

/**
 * How labels are grouped: those with the same first values are one group.
 *
 * @param values how many of a label's first values groups share
 * @param least what a group must have to be listed
 * @param maxGroups maximum number of groups that are summed to pick from; each is held in memory
 */
public record Grouping(int values, Optional<Threshold> least, int maxGroups) {

    static Grouping of(DatasetScope scope, Parameters parameters, QueryContext context) {
        List<String> declared = scope.dataset().label();
        List<String> names = parameters.texts(QueryParameter.GROUP_BY);
        if (names.size() > declared.size() || !declared.subList(0, names.size()).equals(names)) {
            throw Parameters.invalid(QueryParameter.GROUP_BY,
                    "expected the first attributes of the label in their order (" + String.join(", ", declared) + ")");
        }
        return new Grouping(names.isEmpty() ? declared.size() : names.size(), Threshold.of(scope, parameters),
                context.limits().maxLabels());
    }

    /** The group of a label. */
    public Label group(Label label) {
        return values >= label.values().size() ? label : new Label(label.values().subList(0, values));
    }
}
