package dev.windrow.gather.api.prometheus;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

import dev.windrow.base.InvalidInputException;
import dev.windrow.base.Reason;
import dev.windrow.base.Sanitized;
import dev.windrow.gather.prometheus.EvaluationTimes;
import dev.windrow.gather.query.Parameters;
import dev.windrow.gather.query.QueryParameter;
import dev.windrow.gather.query.TimeRange;

/** Reads the parameters of Prometheus' API. Unknown ones are ignored, as Prometheus does: clients send some of their own. */
final class PrometheusParameters {

    /** As in Prometheus; Grafana chooses its steps accordingly. */
    private static final int MAX_STEPS = 11_000;
    private static final String MATCH = "match[]";
    private static final int MAX_SELECTORS = 100;

    private final Map<String, List<String>> values;
    private final Instant now;

    PrometheusParameters(Map<String, List<String>> values, Instant now) {
        this.values = values;
        this.now = now;
    }

    private List<String> all(String name) {
        return values.getOrDefault(name, List.of());
    }

    /** The series selectors; none for everything. */
    List<String> selectors() {
        List<String> selectors = all(MATCH);
        if (selectors.size() > MAX_SELECTORS) {
            throw invalid(MATCH, "expected at most " + MAX_SELECTORS + " selectors, found " + selectors.size());
        }
        return selectors;
    }

    /** The series selectors, of which there must be one. */
    List<String> requiredSelectors() {
        required(MATCH);
        return selectors();
    }

    Optional<String> text(String name) {
        return all(name).stream().filter(value -> !value.isEmpty()).findFirst();
    }

    /**
     * The same for a parameter of ours: Prometheus' own are read as it does, the first of several.
     *
     * @throws InvalidInputException if it is there more than once
     */
    Optional<String> single(QueryParameter parameter) {
        if (all(parameter.word()).size() > 1) {
            throw invalid(parameter.word(), "expected one value, found " + all(parameter.word()).size());
        }
        return text(parameter.word());
    }

    String required(String name) {
        return text(name).orElseThrow(
                () -> new InvalidInputException(Reason.MISSING_PARAMETER, name, "expected a value"));
    }

    /** A time, or now. */
    Instant time(String name) {
        return optionalTime(name).orElse(now);
    }

    private Optional<Instant> optionalTime(String name) {
        return parsed(name, PrometheusTimes::time, PrometheusTimes.TIME_EXPECTED);
    }

    private Instant requiredTime(String name) {
        required(name);
        return time(name);
    }

    /** From start to end. */
    EvaluationTimes range() {
        Instant start = requiredTime("start");
        Instant end = requiredTime("end");
        required("step");
        Duration step = parsed("step", PrometheusTimes::duration, PrometheusTimes.DURATION_EXPECTED).orElseThrow();
        if (end.isBefore(start)) {
            throw invalid("end", "expected a time not before start");
        }
        long steps = Duration.between(start, end).dividedBy(step);
        if (steps >= MAX_STEPS) {
            throw invalid("step", "expected at most " + MAX_STEPS + " points per series: use a longer step");
        }
        return new EvaluationTimes(start, step, (int) steps + 1);
    }

    /** The range in which series are searched; all time by default. */
    SeriesRange seriesRange() {
        return new SeriesRange(optionalTime("start").orElse(TimeRange.ALL.from()), optionalTime("end").orElse(TimeRange.END),
                limit());
    }

    /** The maximum number of items; {@link Integer#MAX_VALUE} if absent. */
    int limit() {
        return parsed("limit", Parameters::wholeNumber, "a whole number").filter(limit -> limit > 0).orElse(Integer.MAX_VALUE);
    }

    /** Parameters of the gather API that say how to read. */
    Map<String, List<String>> options() {
        String partial = single(QueryParameter.PARTIAL).orElse("true");
        return parsed("timeout", PrometheusTimes::duration, PrometheusTimes.DURATION_EXPECTED)
                .map(timeout -> Map.of(QueryParameter.PARTIAL.word(), List.of(partial), QueryParameter.TIMEOUT.word(),
                        List.of(timeout.toString())))
                .orElseGet(() -> Map.of(QueryParameter.PARTIAL.word(), List.of(partial)));
    }

    private <T> Optional<T> parsed(String name, Function<String, Optional<T>> parser, String expected) {
        return text(name).map(text -> parser.apply(text)
                .orElseThrow(() -> invalid(name, "expected " + expected + ", found " + Sanitized.of(text))));
    }

    private static InvalidInputException invalid(String name, String expectation) {
        return new InvalidInputException(Reason.INVALID_PARAMETER, name, expectation);
    }
}
