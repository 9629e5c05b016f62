package dev.windrow.gather.promql;

import java.util.List;
import java.util.Optional;

/**
 * Selects series by name and labels.
 *
 * @param matchers all of which a series must match
 */
public record Selector(List<LabelMatcher> matchers) {

    public Selector {
        matchers = List.copyOf(matchers);
    }

    /** Whether a metric of that name is selected. */
    public boolean selectsMetric(String name) {
        return matchers.stream().filter(Selector::isOfName).allMatch(matcher -> matcher.matches(name));
    }

    /** Whether it selects the metric of that name alone. */
    public boolean names(String name) {
        return matchers.stream().anyMatch(matcher -> isOfName(matcher)
                && matcher.single().equals(Optional.of(new ValuePattern(name, ValuePattern.Rest.NOTHING))));
    }

    /** The matchers of labels other than the name. */
    public List<LabelMatcher> labels() {
        return matchers.stream().filter(matcher -> !isOfName(matcher)).toList();
    }

    private static boolean isOfName(LabelMatcher matcher) {
        return matcher.label().equals(PromQl.NAME);
    }
}
