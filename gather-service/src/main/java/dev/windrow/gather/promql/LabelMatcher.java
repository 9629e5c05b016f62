package dev.windrow.gather.promql;

import java.util.List;
import java.util.Optional;

/**
 * Which values a label may have. A series without the label has it with an empty value.
 *
 * @param label its name
 * @param patterns of which one must match
 */
public record LabelMatcher(String label, List<ValuePattern> patterns) {

    public LabelMatcher {
        patterns = List.copyOf(patterns);
    }

    /** Whether a series with that value is selected. */
    public boolean matches(String value) {
        return patterns.stream().anyMatch(pattern -> pattern.matches(value));
    }

    /** The one pattern, or empty if there are several. */
    public Optional<ValuePattern> single() {
        return patterns.size() == 1 ? Optional.of(patterns.get(0)) : Optional.empty();
    }
}
