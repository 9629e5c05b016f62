package dev.windrow.dataset;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;

/** All declared datasets. */
public final class Datasets {

    private final List<Dataset> all;
    private final Map<String, Dataset> byName;
    private final Map<String, List<Dataset>> byEventType;

    /** @param all with distinct names, in declared order */
    public Datasets(List<Dataset> all) {
        this.all = List.copyOf(all);
        this.byName = all.stream().collect(Collectors.toUnmodifiableMap(Dataset::name, Function.identity()));
        this.byEventType = all.stream()
                .collect(Collectors.groupingBy(Dataset::eventType, Collectors.toUnmodifiableList()));
    }

    /** In declared order. */
    public List<Dataset> all() {
        return all;
    }

    /** The dataset of that name, or empty. */
    public Optional<Dataset> named(String name) {
        return Optional.ofNullable(byName.get(name));
    }

    /** The datasets an event type counts in; none if it is unknown. */
    public List<Dataset> ofEventType(String eventType) {
        return byEventType.getOrDefault(eventType, List.of());
    }
}
