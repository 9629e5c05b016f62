package dev.windrow.gather.prometheus;

import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

import dev.windrow.base.InvalidInputException;
import dev.windrow.dataset.Datasets;
import dev.windrow.gather.prometheus.Expression.Selector;

/**
 * The metrics by name. Names of datasets, measures and attributes may contain characters that Prometheus does not allow, so
 * two metrics may get the same name. An ambiguous name is not listed and cannot be queried.
 */
final class MetricCatalog {

    private final Map<String, Metrics> metrics = new TreeMap<>();
    private final Map<String, String> ambiguous = new TreeMap<>();

    MetricCatalog(Datasets datasets) {
        Map<String, List<Metrics>> byName = datasets.all().stream()
                .flatMap(dataset -> dataset.measures().stream().map(measure -> Metrics.of(dataset, measure)))
                .collect(Collectors.groupingBy(Metrics::name));
        byName.forEach((name, found) -> {
            Metrics first = found.get(0);
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

    public Collection<Metrics> all() {
        return metrics.values();
    }

    /**
     * Returns the selected metrics, by name.
     *
     * @throws InvalidInputException if the selection has an ambiguous name
     */
    public List<Metrics> selected(Selector selector) {
        ambiguous.forEach((name, why) -> {
            if (selector.names(name)) {
                throw PromQl.invalid("the metric " + name + " " + why);
            }
        });
        return metrics.values().stream().filter(metric -> selector.selectsMetric(metric.name())).toList();
    }
}
