package dev.windrow.gather.api.prometheus;

import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.TreeMap;
import java.util.stream.Collectors;

import jakarta.enterprise.context.ApplicationScoped;

import dev.windrow.base.InvalidInputException;
import dev.windrow.base.Reason;
import dev.windrow.dataset.Datasets;
import dev.windrow.gather.api.rendering.Warning;
import dev.windrow.gather.execution.Execution;
import dev.windrow.gather.prometheus.EvaluationTimes;
import dev.windrow.gather.prometheus.Metric;
import dev.windrow.gather.prometheus.MetricCatalog;
import dev.windrow.gather.prometheus.MetricQuery;
import dev.windrow.gather.prometheus.MetricReader;
import dev.windrow.gather.promql.Expression;
import dev.windrow.gather.promql.Expression.Literal;
import dev.windrow.gather.promql.ExpressionParser;
import dev.windrow.gather.promql.Series;
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
        List<Metric> metrics = catalog.selected(expression.selection().orElseThrow().selector());
        if (metrics.isEmpty()) {
            return Uni.createFrom().item(PrometheusAnswer.of(new QueryResult(type, times, List.of()),
                    List.of("no metric is selected: names are windrow_<dataset>_<measure>")));
        }
        if (metrics.size() > 1) {
            throw new InvalidInputException(Reason.INVALID_PARAMETER, "query", "expected a selector of one metric, found "
                    + metrics.stream().map(Metric::name).collect(Collectors.joining(", ")));
        }
        return reader.read(metrics.get(0), expression, times, how).onItem().transform(execution -> {
            List<Series> series = execution.result();
            how.require(series.stream().mapToInt(Series::size).sum());
            return PrometheusAnswer.of(new QueryResult(type, times, series), warnings(execution));
        });
    }

    static List<String> warnings(Execution<?> execution) {
        return Warning.of(execution).stream().map(warning -> warning.reason() + ": " + warning.message()).distinct().toList();
    }
}
