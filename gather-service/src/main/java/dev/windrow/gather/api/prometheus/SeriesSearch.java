package dev.windrow.gather.api.prometheus;

import java.time.Clock;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.function.BiFunction;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import dev.windrow.gather.execution.Execution;
import dev.windrow.gather.fanout.Deadline;
import dev.windrow.gather.prometheus.Metric;
import dev.windrow.gather.prometheus.MetricQuery;
import dev.windrow.gather.prometheus.MetricSelection;
import dev.windrow.gather.prometheus.SeriesReader;
import dev.windrow.gather.promql.Selector;
import io.smallrye.mutiny.Uni;

/** Finds the series of several metrics that have data in a range, by one deadline, and collects an item of each. */
final class SeriesSearch {

    /** Maximum number of concurrent reads, so that a list of all datasets leaves room for other queries. */
    private static final int CONCURRENCY = 4;

    private final SeriesReader reader;
    private final Clock clock;

    SeriesSearch(SeriesReader reader, Clock clock) {
        this.reader = reader;
        this.clock = clock;
    }

    /** The items, each once, and what may be missing from them. */
    record Found<T>(Set<T> items, List<String> warnings) {
    }

    private record Part(Metric metric, MetricSelection selection) {
    }

    /**
     * @param selected metrics with their selectors
     * @param listedOnly leaves out metrics whose series cannot be listed
     * @param kept labels to keep apart; all if absent
     * @param item items of a series by its metric and labels
     */
    <T> Uni<Found<T>> find(Map<Metric, List<Selector>> selected, boolean listedOnly, Optional<Set<String>> kept,
            SeriesRange range, MetricQuery how, BiFunction<Metric, SortedMap<String, String>, Stream<T>> item) {
        Deadline deadline = Deadline.after(how.timeout(), clock);
        Set<T> items = new LinkedHashSet<>();
        Set<String> warnings = new LinkedHashSet<>();
        List<List<Part>> parts = reads(selected, listedOnly, kept);
        List<Uni<Execution<Set<List<String>>>>> reads = IntStream.range(0, parts.size())
                .mapToObj(index -> Uni.createFrom()
                        .deferred(() -> reader.read(parts.get(index).get(0).selection(), range.from(), range.to(), how,
                                deadline.firstOf(rounds(parts.size() - index))))
                        .onItem().invoke(execution -> {
                            synchronized (items) {
                                parts.get(index).forEach(part -> execution.result().forEach(values -> item
                                        .apply(part.metric(), part.selection().labels(values)).forEach(items::add)));
                                warnings.addAll(PrometheusQueries.warnings(execution));
                                how.require(items.size());
                            }
                        }))
                .toList();
        return reads.isEmpty()
                ? Uni.createFrom().item(new Found<>(items, List.of()))
                : Uni.join().all(reads).usingConcurrencyOf(CONCURRENCY).andFailFast()
                        .onItem().transform(all -> new Found<>(items, List.copyOf(warnings)));
    }

    /** How many reads there are one after the other. */
    private static int rounds(int reads) {
        return (reads + CONCURRENCY - 1) / CONCURRENCY;
    }

    /** The metrics by what is read for them: the series of a dataset are those of each of its metrics, and are read once. */
    private static List<List<Part>> reads(Map<Metric, List<Selector>> selected, boolean listedOnly,
            Optional<Set<String>> kept) {
        Map<List<Object>, List<Part>> reads = new LinkedHashMap<>();
        selected.forEach((metric, selectors) -> selectors.forEach(selector -> {
            MetricSelection selection = MetricSelection.of(metric, selector, kept);
            if (!listedOnly || SeriesReader.isListed(metric)) {
                reads.computeIfAbsent(List.of(metric.dataset().name(), selection.matchers(), selection.possible()),
                        absent -> new ArrayList<>()).add(new Part(metric, selection));
            }
        }));
        return List.copyOf(reads.values());
    }
}
