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

import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.MediaType;

import org.eclipse.microprofile.openapi.annotations.Operation;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.ObjectWriter;

import dev.windrow.base.InvalidInputException;
import dev.windrow.base.Reason;
import dev.windrow.base.Sanitized;
import dev.windrow.gather.http.ApiConfig;
import dev.windrow.gather.plan.Parameters;
import dev.windrow.gather.plan.QueryParameter;
import dev.windrow.gather.plan.TimeRange;
import dev.windrow.gather.prometheus.MetricReader.EvaluationTimes;
import dev.windrow.gather.prometheus.MetricReader.MetricQuery;
import dev.windrow.gather.prometheus.PrometheusQueries.QueryResult;
import dev.windrow.gather.read.HeldMemory;
import dev.windrow.gather.request.RequestParser;
import dev.windrow.gather.security.Caller;
import io.quarkus.runtime.annotations.RegisterForReflection;
import io.smallrye.common.annotation.NonBlocking;
import io.smallrye.mutiny.Uni;
import io.smallrye.mutiny.unchecked.Unchecked;

/** Prometheus' HTTP API over the datasets, for data sources and tools that use it. */
@Path("/api/v1/prometheus/api/v1")
@Produces(MediaType.APPLICATION_JSON)
@NonBlocking
public class PrometheusResource {

    /** The release of Prometheus whose API this is; clients choose features by it. */
    private static final String VERSION = "2.42.0";

    private final RequestParser requests;
    private final Caller caller;
    private final ApiConfig config;
    private final PrometheusQueries queries;
    private final HeldMemory memory;
    private final ObjectWriter json;

    PrometheusResource(RequestParser requests, Caller caller, ApiConfig config,
            PrometheusQueries queries, HeldMemory memory, ObjectMapper json) {
        this.requests = requests;
        this.caller = caller;
        this.config = config;
        this.queries = queries;
        this.memory = memory;
        this.json = json.writerFor(PrometheusAnswer.class);
    }

    @GET
    @Path("query")
    @Operation(hidden = true)
    public Uni<byte[]> query() {
        PrometheusParameters parameters = parameters();
        return written(parameters, how -> queries.evaluated(parameters.required("query"),
                EvaluationTimes.at(parameters.time("time")), QueryResult.Type.VECTOR, how));
    }

    @GET
    @Path("query_range")
    @Operation(hidden = true)
    public Uni<byte[]> queryRange() {
        PrometheusParameters parameters = parameters();
        return written(parameters, how -> queries.evaluated(parameters.required("query"), parameters.range(),
                QueryResult.Type.MATRIX, how));
    }

    @GET
    @Path("series")
    @Operation(hidden = true)
    public Uni<byte[]> series() {
        PrometheusParameters parameters = parameters();
        return written(parameters, how -> queries.series(parameters.requiredSelectors(), parameters.seriesRange(), how));
    }

    @GET
    @Path("labels")
    @Operation(hidden = true)
    public PrometheusAnswer labels() {
        PrometheusParameters parameters = parameters();
        return queries.labels(parameters.selectors(), parameters.limit());
    }

    @GET
    @Path("label/{name}/values")
    @Operation(hidden = true)
    public Uni<byte[]> values(@PathParam("name") String name) {
        PrometheusParameters parameters = parameters();
        return written(parameters, how -> queries.values(name, parameters.selectors(), parameters.seriesRange(), how));
    }

    @GET
    @Path("metadata")
    @Operation(hidden = true)
    public PrometheusAnswer metadata() {
        PrometheusParameters parameters = parameters();
        return queries.metadata(parameters.text("metric"), parameters.limit());
    }

    @GET
    @Path("status/buildinfo")
    @Operation(hidden = true)
    public PrometheusAnswer buildInfo() {
        return PrometheusAnswer.of(new BuildInfo(VERSION, "windrow", "", "", "", ""), List.of());
    }

    /** Returns no rules, like a Prometheus without any: Grafana shows an error if a data source lacks this path. */
    @GET
    @Path("rules")
    @Operation(hidden = true)
    public PrometheusAnswer rules() {
        return PrometheusAnswer.of(Map.of("groups", List.of()), List.of());
    }

    /** Returns the version, by which clients choose the features to use. */
    @RegisterForReflection
    record BuildInfo(String version, String revision, String branch, String buildUser, String buildDate, String goVersion) {
    }

    private PrometheusParameters parameters() {
        return new PrometheusParameters(requests.parameters(), requests.context().now());
    }

    /** Writes the answer on the worker thread that computed it: the largest have megabytes of text. */
    private Uni<byte[]> written(PrometheusParameters parameters, Function<MetricQuery, Uni<PrometheusAnswer>> answer) {
        return memory.during(held -> answer.apply(new MetricQuery(caller.tenant(parameters.single(QueryParameter.TENANT)),
                parameters.options(), requests.context(), config.maxSamples(), held::add))
                .map(Unchecked.function(json::writeValueAsBytes)));
    }

    /**
     * An answer in the format of Prometheus' API.
     *
     * @param status {@code success}
     * @param warnings data that is or may be missing; absent if there is none
     */
    @RegisterForReflection
    public record PrometheusAnswer(String status, Object data,
            @JsonInclude(JsonInclude.Include.NON_EMPTY) List<String> warnings) {

        static PrometheusAnswer of(Object data, List<String> warnings) {
            return new PrometheusAnswer("success", data, warnings);
        }
    }

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

        /**
         * The range in which series are searched.
         *
         * @param from earliest time
         * @param to latest time, inclusive
         * @param limit maximum number of items in the answer
         */
        record SeriesRange(Instant from, Instant to, int limit) {
        }
    }
}
