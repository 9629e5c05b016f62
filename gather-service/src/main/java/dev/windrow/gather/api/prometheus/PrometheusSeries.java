package dev.windrow.gather.api.prometheus;

import java.time.Clock;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;

import jakarta.enterprise.context.ApplicationScoped;

import dev.windrow.dataset.Datasets;
import dev.windrow.gather.prometheus.Metric;
import dev.windrow.gather.prometheus.MetricCatalog;
import dev.windrow.gather.prometheus.MetricQuery;
import dev.windrow.gather.prometheus.SeriesReader;
import dev.windrow.gather.promql.Selector;
import dev.windrow.gather.promql.SelectorParser;
import io.quarkus.runtime.annotations.RegisterForReflection;
import io.smallrye.mutiny.Uni;

/** Answers which metrics, series, labels and values there are. */
@ApplicationScoped
class PrometheusSeries {

    private static final String NAME = "__name__";

    private final MetricCatalog catalog;
    private final SeriesSearch search;

    PrometheusSeries(Datasets datasets, SeriesReader reader, Clock clock) {
        this.catalog = new MetricCatalog(datasets);
        this.search = new SeriesSearch(reader, clock);
    }

    /** What a metric is. */
    @RegisterForReflection
    record Metadata(String type, String help, String unit) {
    }

    /** Every metric with its type. */
    PrometheusAnswer metadata(Optional<String> name, int limit) {
        Map<String, List<Metadata>> metadata = new TreeMap<>();
        List<Metric> named = catalog.all().stream().filter(metric -> name.isEmpty() || name.get().equals(metric.name()))
                .toList();
        named.stream().limit(limit).forEach(metric -> metadata.put(metric.name(),
                List.of(new Metadata(metric.type(), metric.help(), ""))));
        return PrometheusAnswer.of(metadata, named.size() > limit ? List.of(cut(limit)) : List.of());
    }

    /** The names of labels, as declared. */
    PrometheusAnswer labels(List<String> matches, int limit) {
        Set<String> names = new TreeSet<>();
        selected(matches).forEach((metric, selectors) -> {
            names.add(NAME);
            names.addAll(metric.labels());
        });
        return limited(names, List.of(), limit);
    }

    /** The values of a label in a range. */
    Uni<PrometheusAnswer> values(String label, List<String> matches, SeriesRange range, MetricQuery how) {
        Map<Metric, List<Selector>> selected = selected(matches);
        if (label.equals(NAME)) {
            return Uni.createFrom()
                    .item(limited(new TreeSet<>(selected.keySet().stream().map(Metric::name).toList()), List.of(),
                            range.limit()));
        }
        selected.keySet().removeIf(metric -> !metric.labels().contains(label));
        return search.find(selected, matches.isEmpty(), Optional.of(Set.of(label)), range, how,
                (metric, labels) -> Stream.ofNullable(labels.get(label))).onItem()
                .transform(found -> limited(new TreeSet<>(found.items()), found.warnings(), range.limit()));
    }

    /** The series that have data in a range. */
    Uni<PrometheusAnswer> series(List<String> matches, SeriesRange range, MetricQuery how) {
        return search.find(selected(matches), false, Optional.empty(), range, how, (metric, labels) -> {
            SortedMap<String, String> named = new TreeMap<>(labels);
            named.put(NAME, metric.name());
            return Stream.of(named);
        }).onItem().transform(found -> limited(found.items(), found.warnings(), range.limit()));
    }

    /** Each metric with the selectors that select it; all metrics where there are no selectors. */
    private Map<Metric, List<Selector>> selected(List<String> matches) {
        Map<Metric, List<Selector>> selected = new LinkedHashMap<>();
        List<Selector> selectors = matches.isEmpty()
                ? List.of(new Selector(List.of()))
                : matches.stream().map(SelectorParser::parse).toList();
        selectors.forEach(selector -> catalog.selected(selector)
                .forEach(metric -> selected.computeIfAbsent(metric, absent -> new ArrayList<>()).add(selector)));
        return selected;
    }

    private static PrometheusAnswer limited(Set<?> items, List<String> warnings, int limit) {
        if (items.size() <= limit) {
            return PrometheusAnswer.of(items, warnings);
        }
        return PrometheusAnswer.of(items.stream().limit(limit).toList(),
                Stream.concat(warnings.stream(), Stream.of(cut(limit))).toList());
    }

    private static String cut(int limit) {
        return "the result was cut at the limit of " + limit;
    }
}
