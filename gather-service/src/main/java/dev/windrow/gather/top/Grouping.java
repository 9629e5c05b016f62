package dev.windrow.gather.top;

import java.util.List;
import java.util.Optional;
import java.util.Set;

import dev.windrow.dataset.Dataset;
import dev.windrow.gather.label.WantedValues;
import dev.windrow.gather.parameter.Parameters;
import dev.windrow.gather.parameter.QueryParameter;
import dev.windrow.gather.plan.DatasetScope;
import dev.windrow.gather.plan.QueryContext;
import dev.windrow.gather.render.LineLayout;
import dev.windrow.table.Label;

/**
 * How labels are grouped: labels with the same values of some attributes form a group.
 *
 * @param places their positions in the label, in the order of the group's values; empty if each label is a group
 * @param least the minimum for a group to be listed
 * @param maxGroups maximum number of groups that are summed to pick from; each is held in memory
 */
public record Grouping(Optional<List<Integer>> places, Optional<Threshold> least, int maxGroups) {

    public static Grouping of(DatasetScope scope, Parameters parameters, QueryContext context) {
        List<Integer> places = parameters.texts(QueryParameter.GROUP_BY).stream()
                .map(name -> WantedValues.place(scope.dataset(), QueryParameter.GROUP_BY, name)).toList();
        if (Set.copyOf(places).size() < places.size()) {
            throw Parameters.invalid(QueryParameter.GROUP_BY, "names an attribute twice");
        }
        boolean whole = places.isEmpty() || places.equals(LineLayout.of(scope.dataset()).places());
        return new Grouping(whole ? Optional.empty() : Optional.of(places), Threshold.of(scope, parameters),
                context.limits().maxLabels());
    }

    public Label group(Label label) {
        return places.map(all -> new Label(all.stream().map(label.values()::get).toList())).orElse(label);
    }

    /** Whether each label is a group. */
    public boolean isWhole() {
        return places.isEmpty();
    }

    /** The columns of groups. */
    public LineLayout layout(Dataset dataset) {
        return places.map(all -> new LineLayout(dataset, all)).orElseGet(() -> LineLayout.of(dataset));
    }
}
