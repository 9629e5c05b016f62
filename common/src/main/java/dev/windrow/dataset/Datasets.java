package dev.windrow.dataset;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Collectors;

import dev.windrow.event.EventForm;

/**
 * All declared datasets.
 *
 * @param all in declared order
 * @param ignoredTypes event types whose events are dropped; {@link #ANY_TYPE} for all types without a dataset
 * @param forms how events that are not in Windrow's own form are read: the first form whose conditions hold applies
 */
public record Datasets(List<Dataset> all, Map<String, Dataset> byName, Map<String, List<Dataset>> byEventType,
        Set<String> ignoredTypes, List<EventForm> forms) {

    /** Stands for all event types without a dataset. */
    static final String ANY_TYPE = "*";

    /** @param all with distinct names */
    public Datasets(List<Dataset> all, Set<String> ignoredTypes, List<EventForm> forms) {
        this(List.copyOf(all), all.stream().collect(Collectors.toUnmodifiableMap(Dataset::name, Function.identity())),
                all.stream().collect(Collectors.groupingBy(Dataset::eventType, Collectors.toUnmodifiableList())),
                Set.copyOf(ignoredTypes), List.copyOf(forms));
    }

    /** The measures of all leaderboards; each has its own index. */
    public SortedSet<String> rankedMeasures() {
        return all.stream().flatMap(dataset -> dataset.ranks().stream()).map(Rank::by)
                .collect(Collectors.toCollection(TreeSet::new));
    }

    public Optional<Dataset> named(String name) {
        return Optional.ofNullable(byName.get(name));
    }

    /** The datasets that count an event type; none if it is unknown. */
    public List<Dataset> ofEventType(String eventType) {
        return byEventType.getOrDefault(eventType, List.of());
    }

    /** Whether events of a type are dropped rather than rejected, because they belong to other consumers. */
    public boolean ignores(String eventType) {
        return !ignoredTypes.isEmpty() && !byEventType.containsKey(eventType)
                && (ignoredTypes.contains(eventType) || ignoredTypes.contains(ANY_TYPE));
    }

}
