package dev.windrow.gather.prometheus;

import java.io.IOException;
import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;
import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
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

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.databind.JsonSerializable;
import com.fasterxml.jackson.databind.SerializerProvider;
import com.fasterxml.jackson.databind.jsontype.TypeSerializer;

import dev.windrow.base.InvalidInputException;
import dev.windrow.base.Reason;
import dev.windrow.dataset.Datasets;
import dev.windrow.dataset.Decimals;
import dev.windrow.gather.prometheus.Evaluator.Series;
import dev.windrow.gather.prometheus.Expression.Literal;
import dev.windrow.gather.prometheus.Expression.Selector;
import dev.windrow.gather.prometheus.MetricReader.EvaluationTimes;
import dev.windrow.gather.prometheus.MetricReader.MetricQuery;
import dev.windrow.gather.prometheus.MetricReader.SeriesReader;
import dev.windrow.gather.prometheus.Metrics.MetricCatalog;
import dev.windrow.gather.prometheus.Metrics.MetricSelection;
import dev.windrow.gather.prometheus.PromQl.ExpressionParser;
import dev.windrow.gather.prometheus.PromQl.SelectorParser;
import dev.windrow.gather.prometheus.PrometheusParameters.SeriesRange;
import dev.windrow.gather.prometheus.PrometheusResource.PrometheusAnswer;
import dev.windrow.gather.read.Deadline;
import dev.windrow.gather.read.Execution;
import io.quarkus.runtime.annotations.RegisterForReflection;
import io.smallrye.mutiny.Uni;

/** Answers PromQL. */
@ApplicationScoped
class PrometheusQueries {

    private final MetricCatalog catalog;
    private final MetricReader reader;

    PrometheusQueries(Datasets datasets, MetricReader reader) {
        this.catalog = new MetricCatalog(datasets);
        this.reader = reader;
    }

    /** The value of a query at one time. */
    Uni<PrometheusAnswer> instant(String query, Instant time, MetricQuery how) {
        EvaluationTimes times = EvaluationTimes.at(time);
        Expression expression = ExpressionParser.parse(query);
        return expression instanceof Literal literal
                ? Uni.createFrom().item(PrometheusAnswer.of(new QueryResult.Scalar(times, literal.number()), List.of()))
                : vector(expression, times, QueryResult.Type.VECTOR, how);
    }

    /** The values of a query over time. */
    Uni<PrometheusAnswer> range(String query, EvaluationTimes times, MetricQuery how) {
        Expression expression = ExpressionParser.parse(query);
        if (expression instanceof Literal literal) {
            Series numbers = new Series(new TreeMap<>(), Collections.nCopies(times.count(), literal.number()));
            return Uni.createFrom().item(
                    PrometheusAnswer.of(new QueryResult(QueryResult.Type.MATRIX, times, List.of(numbers)), List.of()));
        }
        return vector(expression, times, QueryResult.Type.MATRIX, how);
    }

    private Uni<PrometheusAnswer> vector(Expression expression, EvaluationTimes times, QueryResult.Type type, MetricQuery how) {
        List<Metrics> metrics = catalog.selected(expression.selection().orElseThrow().selector());
        if (metrics.isEmpty()) {
            return Uni.createFrom().item(PrometheusAnswer.of(new QueryResult(type, times, List.of()),
                    List.of("no metric is selected: names are windrow_<dataset>_<measure>")));
        }
        if (metrics.size() > 1) {
            throw new InvalidInputException(Reason.INVALID_PARAMETER, "query", "expected a selector of one metric, found "
                    + metrics.stream().map(Metrics::name).collect(Collectors.joining(", ")));
        }
        return reader.read(metrics.get(0), expression, times, how).onItem().transform(execution -> {
            List<Series> series = execution.result();
            how.require(series.stream().mapToInt(Series::size).sum());
            return PrometheusAnswer.of(new QueryResult(type, times, series), warnings(execution));
        });
    }

    static List<String> warnings(Execution<?> execution) {
        return execution.warnings().stream().map(warning -> warning.reason() + ": " + warning.message()).distinct().toList();
    }

    /**
     * The result of a query. Values are decimals as text, with as many digits as DynamoDB's numbers have. So no value is long,
     * whatever is computed: an answer may have half a million of them.
     *
     * @param type {@code vector} or {@code matrix}
     * @param times of the values
     * @param series the series
     */
    record QueryResult(Type type, EvaluationTimes times, List<Series> series) implements JsonSerializable {

        private static final int MILLIS = 3;
        private static final MathContext DIGITS = new MathContext(Decimals.DIGITS, RoundingMode.HALF_EVEN);
        /** Characters of a number without an exponent. */
        private static final int MAX_PLAIN = 60;

        /** Prometheus' words for kinds of results. */
        enum Type {
            VECTOR("vector"),
            MATRIX("matrix");

            private final String word;

            Type(String word) {
                this.word = word;
            }
        }

        /** A number at one time. */
        record Scalar(EvaluationTimes times, Number number) implements JsonSerializable {

            @Override
            public void serialize(JsonGenerator json, SerializerProvider provider) throws IOException {
                json.writeStartObject();
                json.writeStringField("resultType", "scalar");
                json.writeFieldName("result");
                writeSample(json, times, 0, number);
                json.writeEndObject();
            }

            @Override
            public void serializeWithType(JsonGenerator json, SerializerProvider provider, TypeSerializer serializer)
                    throws IOException {
                serialize(json, provider);
            }
        }

        /** Written without reflection, as answers have thousands of samples. */
        @Override
        public void serialize(JsonGenerator json, SerializerProvider provider) throws IOException {
            json.writeStartObject();
            json.writeStringField("resultType", type.word);
            json.writeArrayFieldStart("result");
            for (Series each : series) {
                json.writeStartObject();
                json.writeObjectField("metric", each.labels());
                json.writeFieldName(type == Type.VECTOR ? "value" : "values");
                writeValues(json, each);
                json.writeEndObject();
            }
            json.writeEndArray();
            json.writeEndObject();
        }

        @Override
        public void serializeWithType(JsonGenerator json, SerializerProvider provider, TypeSerializer serializer)
                throws IOException {
            serialize(json, provider);
        }

        private void writeValues(JsonGenerator json, Series each) throws IOException {
            if (type == Type.MATRIX) {
                json.writeStartArray();
            }
            for (int i = 0; i < each.values().size(); i++) {
                Number value = each.values().get(i);
                if (value != null) {
                    writeSample(json, times, i, value);
                }
            }
            if (type == Type.MATRIX) {
                json.writeEndArray();
            }
        }

        private static void writeSample(JsonGenerator json, EvaluationTimes times, int index, Number value)
                throws IOException {
            json.writeStartArray();
            json.writeNumber(BigDecimal.valueOf(times.at(index).toEpochMilli(), MILLIS).stripTrailingZeros());
            json.writeString(text(value));
            json.writeEndArray();
        }

        private static String text(Number value) {
            if (!(value instanceof BigDecimal decimal)) {
                return Double.isNaN(value.doubleValue()) ? "NaN" : value.doubleValue() > 0 ? "+Inf" : "-Inf";
            }
            BigDecimal rounded = decimal.round(DIGITS);
            String plain = Decimals.canonical(rounded);
            return plain.length() <= MAX_PLAIN ? plain : rounded.stripTrailingZeros().toString();
        }
    }

    /** Answers which metrics, series, labels and values there are. */
    @ApplicationScoped
    static class PrometheusSeries {

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
            List<Metrics> named = catalog.all().stream().filter(metric -> name.isEmpty() || name.get().equals(metric.name()))
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
            Map<Metrics, List<Selector>> selected = selected(matches);
            if (label.equals(NAME)) {
                return Uni.createFrom()
                        .item(limited(new TreeSet<>(selected.keySet().stream().map(Metrics::name).toList()), List.of(),
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
        private Map<Metrics, List<Selector>> selected(List<String> matches) {
            Map<Metrics, List<Selector>> selected = new LinkedHashMap<>();
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

    /** Finds the series of several metrics that have data in a range, by one deadline, and collects an item of each. */
    static final class SeriesSearch {

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

        private record Part(Metrics metric, MetricSelection selection) {
        }

        /**
         * @param selected metrics with their selectors
         * @param listedOnly leaves out metrics whose series cannot be listed
         * @param kept labels to keep apart; all if absent
         * @param item items of a series by its metric and labels
         */
        <T> Uni<Found<T>> find(Map<Metrics, List<Selector>> selected, boolean listedOnly, Optional<Set<String>> kept,
                SeriesRange range, MetricQuery how, BiFunction<Metrics, SortedMap<String, String>, Stream<T>> item) {
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

        /**
         * The metrics by what is read for them: the series of a dataset are those of each of its metrics, and are read once.
         */
        private static List<List<Part>> reads(Map<Metrics, List<Selector>> selected, boolean listedOnly,
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
}
