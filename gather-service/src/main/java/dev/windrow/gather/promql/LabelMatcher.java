package dev.windrow.gather.promql;

import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Which values a label may have: one of the values, or one with one of the prefixes. A series without the label has it with an
 * empty value.
 *
 * @param label its name
 * @param values whole values
 * @param prefixes patterns of longer values
 */
public record LabelMatcher(String label, Set<String> values, List<ValuePattern> prefixes) {

    public LabelMatcher {
        values = Collections.unmodifiableSet(new LinkedHashSet<>(values));
        prefixes = List.copyOf(prefixes);
    }

    /** @param patterns of which one must match */
    public LabelMatcher(String label, List<ValuePattern> patterns) {
        this(label,
                patterns.stream().filter(LabelMatcher::isWhole).map(ValuePattern::text)
                        .collect(Collectors.toCollection(LinkedHashSet::new)),
                patterns.stream().filter(pattern -> !isWhole(pattern)).toList());
    }

    private static boolean isWhole(ValuePattern pattern) {
        return pattern.rest() == ValuePattern.Rest.NOTHING;
    }

    /** Whether a series with that value is selected. */
    public boolean matches(String value) {
        return values.contains(value) || prefixes.stream().anyMatch(pattern -> pattern.matches(value));
    }

    /** The one pattern, or empty if there are several. */
    public Optional<ValuePattern> single() {
        if (values.size() + prefixes.size() != 1) {
            return Optional.empty();
        }
        return values.stream().map(value -> new ValuePattern(value, ValuePattern.Rest.NOTHING)).findFirst()
                .or(() -> Optional.of(prefixes.get(0)));
    }
}
