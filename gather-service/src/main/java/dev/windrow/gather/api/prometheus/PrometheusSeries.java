package dev.windrow.gather.api.prometheus;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.BiFunction;
import java.util.stream.Stream;

import jakarta.enterprise.context.ApplicationScoped;

import dev.windrow.dataset.Datasets;
import dev.windrow.gather.execution.Execution;
import dev.windrow.gather.fanout.GatherException;
import dev.windrow.gather.prometheus.Metric;
import dev.windrow.gather.prometheus.MetricCatalog;
import dev.windrow.gather.prometheus.MetricQuery;
import dev.windrow.gather.prometheus.MetricSelection;
import dev.windrow.gather.prometheus.SeriesReader;
import dev.windrow.gather.promql.Selector;
import dev.windrow.gather.promql.SelectorParser;
import dev.windrow.reason.Reason;
import io.smallrye.mutiny.Uni;

/** Answers which metrics, series, labels and values there are. */
@ApplicationScoped
class PrometheusSeries {

    private static final String NAME = "__name__";
    /** Reads planned and run at a time, so that a list of all datasets does not take the place of all other queries. */
    private static final int CONCURRENCY = 4;

    private final MetricCatalog catalog;
    private final SeriesReader reader;

    PrometheusSeries(Datasets datasets, SeriesReader reader) {
        this.catalog = new MetricCatalog(datasets);
        this.reader = reader;
    }

    /** Every metric with its type. */
    PrometheusAnswer metadata(Optional<String> name, int limit) {
        Map<String, List<Map<String, String>>> metadata = new TreeMap<>();
        catalog.all().stream().filter(metric -> name.isEmpty() || name.get().equals(metric.name())).limit(limit)
                .forEach(metric -> metadata.put(metric.name(),
                        List.of(Map.of("type", metric.type(), "help", metric.help(), "unit", ""))));
        return PrometheusAnswer.of(metadata, List.of());
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
        return found(selected, matches.isEmpty(), Optional.of(Set.of(label)), range, how,
                (metric, labels) -> Stream.ofNullable(labels.get(label))).onItem()
                .transform(found -> limited(new TreeSet<>(found.items()), found.warnings(), range.limit()));
    }

    /** The series that have data in a range. */
    Uni<PrometheusAnswer> series(List<String> matches, SeriesRange range, MetricQuery how) {
        return found(selected(matches), false, Optional.empty(), range, how, (metric, labels) -> {
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

    private record Found<T>(Set<T> items, List<String> warnings) {
    }

    private record Part(Metric metric, MetricSelection selection) {
    }

    private <T> Uni<Found<T>> found(Map<Metric, List<Selector>> selected, boolean listedOnly, Optional<Set<String>> kept,
            SeriesRange range, MetricQuery how, BiFunction<Metric, SortedMap<String, String>, Stream<T>> item) {
        List<Part> parts = new ArrayList<>();
        selected.forEach((metric, selectors) -> selectors
                .forEach(selector -> parts.add(new Part(metric, MetricSelection.of(metric, selector, kept)))));
        Set<T> items = new LinkedHashSet<>();
        Set<String> warnings = new LinkedHashSet<>();
        // The series of a dataset are those of each of its metrics: they are read once.
        Map<List<Object>, List<Part>> reads = new LinkedHashMap<>();
        parts.stream().filter(part -> !listedOnly || SeriesReader.isListed(part.metric())).forEach(part -> reads
                .computeIfAbsent(List.of(part.metric().dataset().name(), part.selection().matchers(),
                        part.selection().possible()), absent -> new ArrayList<>())
                .add(part));
        List<Uni<Execution<Set<List<String>>>>> unis = reads.values().stream()
                .map(same -> Uni.createFrom()
                        .deferred(() -> reader.read(same.get(0).selection(), range.from(), range.to(), how))
                        .onItem().invoke(execution -> {
                            synchronized (items) {
                                same.forEach(part -> execution.result().forEach(values -> item
                                        .apply(part.metric(), part.selection().labels(values)).forEach(items::add)));
                                warnings.addAll(PrometheusQueries.warnings(execution));
                                how.require(items.size());
                            }
                        }))
                .toList();
        return unis.isEmpty()
                ? Uni.createFrom().item(new Found<>(items, List.of()))
                : Uni.join().all(unis).usingConcurrencyOf(CONCURRENCY).andFailFast()
                        .ifNoItem().after(how.context().limits().maxTimeout())
                        .failWith(() -> new GatherException(Reason.TIMED_OUT, "not all datasets were read in time"))
                        .onItem().transform(all -> new Found<>(items, List.copyOf(warnings)));
    }

    private static PrometheusAnswer limited(Set<?> items, List<String> warnings, int limit) {
        if (items.size() <= limit) {
            return PrometheusAnswer.of(items, warnings);
        }
        return PrometheusAnswer.of(items.stream().limit(limit).toList(),
                Stream.concat(warnings.stream(), Stream.of("the result was cut at the limit of " + limit)).toList());
    }
}
