package dev.windrow.gather.prometheus;

import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
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
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import jakarta.enterprise.context.ApplicationScoped;

import dev.windrow.base.Reason;
import dev.windrow.dataset.Datasets;
import dev.windrow.gather.fanout.Deadline;
import dev.windrow.gather.fanout.Execution;
import dev.windrow.gather.fanout.GatherRequest;
import dev.windrow.gather.fanout.Gatherer;
import dev.windrow.gather.fanout.HeldSize;
import dev.windrow.gather.fanout.Warning;
import dev.windrow.gather.plan.Bucket;
import dev.windrow.gather.prometheus.Expression.Literal;
import dev.windrow.gather.prometheus.Expression.Selection;
import dev.windrow.gather.prometheus.Expression.Selector;
import dev.windrow.gather.range.SummedRange;
import dev.windrow.gather.range.TimeRange;
import dev.windrow.table.Label;
import dev.windrow.time.Granularity;
import io.quarkus.runtime.annotations.RegisterForReflection;
import io.smallrye.mutiny.Multi;
import io.smallrye.mutiny.Uni;
import io.smallrye.mutiny.infrastructure.Infrastructure;

/** Answers PromQL, and lists metrics, series, labels and values. */
@ApplicationScoped
class PrometheusQueries {

    private static final String NO_METRIC = "no metric is selected: names are windrow_<dataset>_<measure>";

    private final MetricCatalog catalog;
    private final MetricReader reader;
    private final SeriesSearch search;

    PrometheusQueries(Datasets datasets, MetricReader reader, Gatherer gatherer, Clock clock) {
        this.catalog = new MetricCatalog(datasets);
        this.reader = reader;
        this.search = new SeriesSearch(datasets, gatherer, clock);
    }

    /** @param type of the result unless it is a number */
    Uni<PrometheusAnswer> evaluated(String query, EvaluationTimes times, QueryResult.Type type, MetricQuery how) {
        Expression expression = ExpressionParser.parse(query);
        if (expression instanceof Literal literal) {
            return Uni.createFrom().item(PrometheusAnswer.of(QueryResult.of(type, times, literal), List.of()));
        }
        List<String> warnings = new ArrayList<>();
        Map<Selection, Metrics> metrics = new LinkedHashMap<>();
        expression.selections().distinct().forEach(selection -> metric(selection).ifPresentOrElse(
                metric -> metrics.put(selection, metric), () -> warnings.add(NO_METRIC)));
        reader.expired(metrics, times, how).ifPresent(warnings::add);
        return reader.read(metrics, expression, times, how).map(execution -> {
            List<MetricSeries> series = execution.result();
            how.require(series.stream().mapToInt(MetricSeries::size).sum());
            Stream<String> others = execution.warnings().stream()
                    .filter(warning -> !warning.reason().equals(Reason.EXPIRED.word())).map(PrometheusQueries::text);
            return PrometheusAnswer.of(new QueryResult(type, times, series),
                    Stream.concat(warnings.stream(), others).distinct().toList());
        });
    }

    private Optional<Metrics> metric(Selection selection) {
        List<Metrics> metrics = catalog.selected(selection.selector());
        if (metrics.size() > 1) {
            throw PromQl.invalid("a selector must select one metric, found "
                    + metrics.stream().map(Metrics::name).collect(Collectors.joining(", ")));
        }
        return metrics.stream().findFirst();
    }

    @RegisterForReflection
    record Metadata(String type, String help, String unit) {
    }

    PrometheusAnswer metadata(Optional<String> name, int limit) {
        Map<String, List<Metadata>> metadata = new TreeMap<>();
        List<Metrics> named = catalog.all().stream().filter(metric -> name.isEmpty() || name.get().equals(metric.name()))
                .toList();
        named.stream().limit(limit).forEach(metric -> metadata.put(metric.name(),
                List.of(new Metadata(metric.measure().kind().metricType(), metric.help(), metric.unit()))));
        return PrometheusAnswer.of(metadata, named.size() > limit ? List.of(cut(limit)) : List.of());
    }

    /** Returns the names of labels, as declared. */
    PrometheusAnswer labels(List<String> matches, int limit) {
        Set<String> names = new TreeSet<>();
        selected(matches).forEach((metric, selectors) -> {
            names.add(PromQl.NAME);
            names.addAll(metric.labels());
        });
        return limited(names, List.of(), limit);
    }

    Uni<PrometheusAnswer> values(String label, List<String> matches, SeriesRange range, MetricQuery how) {
        Map<Metrics, List<Selector>> selected = selected(matches);
        if (label.equals(PromQl.NAME)) {
            return Uni.createFrom()
                    .item(limited(new TreeSet<>(selected.keySet().stream().map(Metrics::name).toList()), List.of(),
                            range.limit()));
        }
        selected.keySet().removeIf(metric -> !metric.labels().contains(label));
        return search.find(selected, Optional.of(Set.of(label)), range, how, Comparator.<String> naturalOrder(),
                (metric, labels) -> Stream.ofNullable(labels.get(label))).onItem()
                .transform(found -> limited(found.items(), found.warnings(), range.limit()));
    }

    /** Returns the series that have data in a range, ordered by labels. */
    Uni<PrometheusAnswer> series(List<String> matches, SeriesRange range, MetricQuery how) {
        return search.find(selected(matches), Optional.empty(), range, how, Evaluator::compareLabels, (metric, labels) -> {
            SortedMap<String, String> named = new TreeMap<>(labels);
            named.put(PromQl.NAME, metric.name());
            return Stream.of(named);
        }).onItem().transform(found -> limited(found.items(), found.warnings(), range.limit()));
    }

    /** Returns each metric with the selectors that may select series of it; all metrics if there are no selectors. */
    private Map<Metrics, List<Selector>> selected(List<String> matches) {
        Map<Metrics, List<Selector>> selected = new LinkedHashMap<>();
        List<Selector> selectors = matches.isEmpty()
                ? List.of(new Selector(List.of()))
                : matches.stream().map(ExpressionParser::parseSelector).toList();
        selectors.forEach(selector -> catalog.selected(selector).stream()
                .filter(metric -> MetricSelection.of(metric, selector, Optional.empty()).possible())
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

    static List<String> warnings(Execution<?> execution) {
        return execution.warnings().stream().map(PrometheusQueries::text).distinct().toList();
    }

    private static String text(Warning warning) {
        return warning.reason() + ": " + warning.message();
    }

    /** Finds the series of several metrics that have data in a range, within one deadline, and collects items of each. */
    record SeriesSearch(Datasets datasets, Gatherer gatherer, Clock clock) {

        /** Maximum number of concurrent reads, so that a list of all datasets leaves room for other queries. */
        private static final int CONCURRENCY = 4;

        /** The distinct items, and warnings about what may be missing. */
        record Found<T>(Set<T> items, List<String> warnings) {
        }

        /**
         * @param selected metrics with their selectors, each of which may select series of it
         * @param kept labels to keep apart; all if absent
         * @param order of the items
         * @param item items of a series by its metric and labels
         */
        <T> Uni<Found<T>> find(Map<Metrics, List<Selector>> selected, Optional<Set<String>> kept, SeriesRange range,
                MetricQuery how, Comparator<T> order, BiFunction<Metrics, SortedMap<String, String>, Stream<T>> item) {
            Deadline deadline = Deadline.after(how.timeout(), clock);
            Set<T> items = new TreeSet<>(order);
            Set<String> warnings = new LinkedHashSet<>();
            List<List<MetricSelection>> parts = reads(selected, kept);
            return gatherer.inTime(how.timeout(),
                    Multi.createFrom().iterable(IntStream.range(0, parts.size()).boxed().toList()).onItem()
                            .transformToUni(index -> {
                                List<MetricSelection> alike = parts.get(index);
                                int rounds = (parts.size() - index + CONCURRENCY - 1) / CONCURRENCY;
                                return read(alike.get(0), range.from(), range.to(), how, deadline.firstOf(rounds))
                                        .invoke(execution -> {
                                            synchronized (items) {
                                                alike.forEach(part -> execution.result().forEach(values -> item
                                                        .apply(part.metric(), part.labels(values)).filter(items::add)
                                                        .forEach(added -> {
                                                            how.require(items.size());
                                                            how.held().accept(HeldSize.ofLabel(values.values()));
                                                        })));
                                                warnings.addAll(PrometheusQueries.warnings(execution));
                                            }
                                        });
                            }).merge(CONCURRENCY).collect().last().map(all -> new Found<>(items, List.copyOf(warnings))));
        }

        /**
         * Returns the distinct combinations of values of the kept labels among the selected series, on a worker thread because
         * there may be hundreds of thousands.
         *
         * @param from a time in the first bucket
         * @param to a time in the last bucket
         * @param deadline shared with other reads
         */
        private Uni<Execution<Set<Label>>> read(MetricSelection selection, Instant from, Instant to, MetricQuery how,
                Deadline deadline) {
            MetricRead read = new MetricRead(datasets, how.tenant(), selection, how.options(), how.context());
            SummedRange summed = SummedRange.window(read.stored, range(read.stored.get(0), from, to), read.horizons());
            RangeRead query = read.read(summed.range(), Optional.empty(), summed.horizons().expired());
            return gatherer.answer(GatherRequest.all(query.scope(), query.plan(), query.options()), deadline,
                    buckets -> buckets.collect().<Set<Label>> in(HashSet::new,
                            (found, bucket) -> add(found, selection, bucket, how)))
                    .emitOn(Infrastructure.getDefaultWorkerPool());
        }

        private static void add(Set<Label> found, MetricSelection selection, Bucket bucket, MetricQuery how) {
            List<String> values = bucket.label().values();
            if (selection.matches(values)) {
                Label kept = selection.kept(values);
                if (found.add(kept)) {
                    how.require(found.size());
                    how.held().accept(HeldSize.ofLabel(kept.values()));
                }
            }
        }

        private static TimeRange range(Granularity finest, Instant from, Instant to) {
            Instant begin = TimeRange.clamped(from);
            Instant end = TimeRange.clamped(to);
            Instant first = TimeRange.later(finest.floor(begin), TimeRange.ALL.from());
            Instant last = end.equals(TimeRange.END) ? end : TimeRange.ceiling(finest, end.plusNanos(1));
            return new TimeRange(begin.equals(TimeRange.ALL.from()) ? begin : first, TimeRange.later(first, last));
        }

        /** Groups the metrics by the reads they need: all metrics of a dataset have the same series, which are read once. */
        private static List<List<MetricSelection>> reads(Map<Metrics, List<Selector>> selected, Optional<Set<String>> kept) {
            Map<List<Object>, List<MetricSelection>> reads = new LinkedHashMap<>();
            selected.forEach((metric, selectors) -> selectors.forEach(selector -> {
                MetricSelection selection = MetricSelection.of(metric, selector, kept);
                // Series of a dataset without an index cannot be listed: a search leaves them out unless they are asked for.
                if (!metric.dataset().index().isEmpty() || selector.names(metric.name())
                        || !selection.firstValues().isEmpty()) {
                    reads.computeIfAbsent(List.of(metric.dataset().name(), selection.matchers()),
                            absent -> new ArrayList<>()).add(selection);
                }
            }));
            return List.copyOf(reads.values());
        }
    }
}
