package dev.windrow.gather.prometheus;

import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

import dev.windrow.base.InvalidInputException;
import dev.windrow.base.Reason;
import dev.windrow.dataset.Datasets;
import dev.windrow.gather.promql.Selector;

/**
 * The metrics by name. Names of datasets, measures and attributes may hold characters that Prometheus' names may not, so two
 * of them may get the same name: then it is ambiguous, is not listed, and cannot be queried.
 */
public final class MetricCatalog {

    private final Map<String, Metric> metrics = new TreeMap<>();
    private final Map<String, String> ambiguous = new TreeMap<>();

    public MetricCatalog(Datasets datasets) {
        Map<String, List<Metric>> byName = datasets.all().stream()
                .flatMap(dataset -> dataset.measures().stream().map(measure -> Metric.of(dataset, measure)))
                .collect(Collectors.groupingBy(Metric::name));
        byName.forEach((name, found) -> {
            Metric first = found.get(0);
            if (found.size() > 1) {
                ambiguous.put(name, "is ambiguous, as it is the name of several measures: " + found.stream()
                        .map(metric -> metric.dataset().name() + "/" + metric.measure().name())
                        .collect(Collectors.joining(", ")));
            } else if (new HashSet<>(first.labels()).size() < first.labels().size()) {
                ambiguous.put(name, "is ambiguous, as several attributes get the same label name: "
                        + String.join(", ", first.dataset().label()));
            } else {
                metrics.put(name, first);
            }
        });
    }

    /** All that can be queried, by name. */
    public Collection<Metric> all() {
        return metrics.values();
    }

    /**
     * Those that are selected, by name.
     *
     * @throws InvalidInputException if the selection has an ambiguous name
     */
    public List<Metric> selected(Selector selector) {
        ambiguous.forEach((name, why) -> {
            if (selector.names(name)) {
                throw new InvalidInputException(Reason.INVALID_PARAMETER, "query", "the metric " + name + " " + why);
            }
        });
        return metrics.values().stream().filter(metric -> selector.selectsMetric(metric.name())).toList();
    }
}
