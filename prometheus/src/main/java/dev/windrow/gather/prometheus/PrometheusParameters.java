package dev.windrow.gather.prometheus;

import java.math.BigDecimal;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.regex.Pattern;

import dev.windrow.base.InvalidInputException;
import dev.windrow.base.Reason;
import dev.windrow.base.Sanitized;
import dev.windrow.gather.parameter.Parameters;
import dev.windrow.gather.parameter.QueryParameter;
import dev.windrow.gather.range.TimeRange;

/** Reads the parameters of Prometheus' API. Ignores unknown ones, like Prometheus: clients send some of their own. */
record PrometheusParameters(Map<String, List<String>> values, Instant now) {

    /** The limit of Prometheus; Grafana chooses its steps accordingly. */
    private static final int MAX_STEPS = 11_000;
    private static final String MATCH = "match[]";
    private static final int MAX_SELECTORS = 100;
    private static final String TIME_EXPECTED = "seconds since 1970, or a time such as 2026-11-20T10:00:00Z";
    private static final String DURATION_EXPECTED = "a positive number of seconds, or a duration such as 30s";

    private static final Pattern SECONDS = Pattern.compile("-?[0-9]{1,20}(\\.[0-9]{1,20})?([eE]\\+?[0-9]{1,2})?");
    /** Long before all data: clients send the earliest time they know to mean "from the beginning". */
    private static final Instant FIRST = Instant.parse("0000-01-01T00:00:00Z");
    private static final BigDecimal EARLIEST = BigDecimal.valueOf(FIRST.getEpochSecond());
    private static final BigDecimal LATEST = BigDecimal.valueOf(TimeRange.END.getEpochSecond());

    private List<String> all(String name) {
        return values.getOrDefault(name, List.of());
    }

    /** Returns the series selectors; an empty list selects everything. */
    List<String> selectors() {
        List<String> selectors = all(MATCH);
        if (selectors.size() > MAX_SELECTORS) {
            throw invalid(MATCH, "expected at most " + MAX_SELECTORS + " selectors, found " + selectors.size());
        }
        return selectors;
    }

    /** Returns the series selectors; there must be at least one. */
    List<String> requiredSelectors() {
        required(MATCH);
        return selectors();
    }

    Optional<String> text(String name) {
        return all(name).stream().filter(value -> !value.isEmpty()).findFirst();
    }

    /**
     * Returns the value of a parameter of the gather API. Of Prometheus' own parameters, the first value counts, as it does
     * there.
     *
     * @throws InvalidInputException if it is given more than once
     */
    Optional<String> single(QueryParameter parameter) {
        if (all(parameter.word()).size() > 1) {
            throw invalid(parameter.word(), "expected one value, found " + all(parameter.word()).size());
        }
        return text(parameter.word());
    }

    String required(String name) {
        return text(name).orElseThrow(() -> new InvalidInputException(Reason.MISSING_PARAMETER, name, "expected a value"));
    }

    Instant time(String name) {
        return optionalTime(name).orElse(now);
    }

    private Optional<Instant> optionalTime(String name) {
        return parsed(name, PrometheusParameters::parsedTime, TIME_EXPECTED);
    }

    private Instant requiredTime(String name) {
        required(name);
        return time(name);
    }

    EvaluationTimes range() {
        Instant start = requiredTime("start");
        Instant end = requiredTime("end");
        required("step");
        Duration step = parsed("step", PrometheusParameters::parsedDuration, DURATION_EXPECTED).orElseThrow();
        if (end.isBefore(start)) {
            throw invalid("end", "must not be before start");
        }
        long steps = Duration.between(start, end).dividedBy(step);
        if (steps >= MAX_STEPS) {
            throw invalid("step", "expected at most " + MAX_STEPS + " points per series: use a longer step");
        }
        return new EvaluationTimes(start, step, (int) steps + 1);
    }

    /** Returns the range in which series are searched; all time by default. */
    SeriesRange seriesRange() {
        return new SeriesRange(optionalTime("start").orElse(TimeRange.ALL.from()),
                optionalTime("end").orElse(TimeRange.END), limit());
    }

    /** The maximum number of items; {@link Integer#MAX_VALUE} if absent. */
    int limit() {
        return parsed("limit", Parameters::wholeNumber, "a whole number").filter(limit -> limit > 0)
                .orElse(Integer.MAX_VALUE);
    }

    /** Returns the parameters of the gather API that say how to read. */
    Map<String, List<String>> options() {
        Map<String, List<String>> options = new HashMap<>();
        options.put(QueryParameter.PARTIAL.word(), List.of(single(QueryParameter.PARTIAL).orElse("true")));
        parsed("timeout", PrometheusParameters::parsedDuration, DURATION_EXPECTED)
                .ifPresent(timeout -> options.put(QueryParameter.TIMEOUT.word(), List.of(timeout.toString())));
        return options;
    }

    private <T> Optional<T> parsed(String name, Function<String, Optional<T>> parser, String expected) {
        return text(name).map(text -> parser.apply(text)
                .orElseThrow(() -> invalid(name, "expected " + expected + ", found " + Sanitized.of(text))));
    }

    /** Parses seconds or RFC 3339, and moves the time into the supported range; empty if the text is neither. */
    private static Optional<Instant> parsedTime(String text) {
        if (SECONDS.matcher(text).matches()) {
            BigDecimal seconds = new BigDecimal(text).min(LATEST).max(EARLIEST);
            return Optional.of(Instant.ofEpochMilli(seconds.movePointRight(3).longValue()));
        }
        try {
            Instant time = OffsetDateTime.parse(text).toInstant();
            return Optional.of(TimeRange.earlier(TimeRange.later(time, FIRST), TimeRange.END));
        } catch (DateTimeException e) {
            return Optional.empty();
        }
    }

    /** Parses seconds or a PromQL duration; empty if the text is neither, or not positive. */
    private static Optional<Duration> parsedDuration(String text) {
        if (SECONDS.matcher(text).matches()) {
            long millis = new BigDecimal(text).min(LATEST).max(EARLIEST).movePointRight(3).longValue();
            return millis > 0 ? Optional.of(Duration.ofMillis(millis)) : Optional.empty();
        }
        return PromQl.duration(text);
    }

    private static InvalidInputException invalid(String name, String expectation) {
        return new InvalidInputException(Reason.INVALID_PARAMETER, name, expectation);
    }

}
