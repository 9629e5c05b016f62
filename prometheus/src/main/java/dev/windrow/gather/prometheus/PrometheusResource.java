package dev.windrow.gather.prometheus;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.HttpHeaders;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.MultivaluedHashMap;
import jakarta.ws.rs.core.MultivaluedMap;
import jakarta.ws.rs.core.Response;

import org.eclipse.microprofile.openapi.annotations.Operation;
import org.jboss.resteasy.reactive.server.ServerExceptionMapper;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.ObjectWriter;

import dev.windrow.base.InvalidInputException;
import dev.windrow.base.LogKey;
import dev.windrow.base.Reason;
import dev.windrow.base.StructuredLogger;
import dev.windrow.gather.http.ApiConfig;
import dev.windrow.gather.http.Problem;
import dev.windrow.gather.http.Problems;
import dev.windrow.gather.http.PrometheusError;
import dev.windrow.gather.http.RequestQuery;
import dev.windrow.gather.plan.QueryParameter;
import dev.windrow.gather.prometheus.MetricReader.MetricQuery;
import dev.windrow.gather.read.GatherException;
import dev.windrow.gather.read.HeldMemory;
import dev.windrow.gather.request.RequestParser;
import dev.windrow.gather.security.Caller;
import io.quarkus.runtime.annotations.RegisterForReflection;
import io.quarkus.security.AuthenticationFailedException;
import io.quarkus.security.UnauthorizedException;
import io.smallrye.common.annotation.NonBlocking;
import io.smallrye.mutiny.Uni;
import io.smallrye.mutiny.unchecked.Unchecked;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.ext.web.RoutingContext;

/** Prometheus' HTTP API over the datasets, for data sources and tools that speak it. */
@Path("/api/v1/prometheus/api/v1")
@Produces(MediaType.APPLICATION_JSON)
@NonBlocking
public class PrometheusResource {

    /** The release of Prometheus whose API this is; clients choose features by it. */
    private static final String VERSION = "2.42.0";
    private static final StructuredLogger LOG = StructuredLogger.of(PrometheusResource.class);

    private final RequestParser requests;
    private final RoutingContext request;
    private final Caller caller;
    private final ApiConfig config;
    private final PrometheusQueries queries;
    private final Problems problems;
    private final HeldMemory memory;
    private final ObjectWriter json;

    PrometheusResource(RequestParser requests, RoutingContext request, Caller caller, ApiConfig config,
            PrometheusQueries queries, Problems problems, HeldMemory memory, ObjectMapper json) {
        this.requests = requests;
        this.request = request;
        this.caller = caller;
        this.config = config;
        this.queries = queries;
        this.problems = problems;
        this.memory = memory;
        this.json = json.writerFor(PrometheusAnswer.class);
    }

    /** As Prometheus, with the parameters in the address, whatever type the body is said to have. */
    @POST
    @Path("query")
    @Consumes(MediaType.WILDCARD)
    @Operation(hidden = true)
    public Uni<byte[]> queryOfAddress() {
        return query();
    }

    @GET
    @Path("query")
    @Operation(hidden = true)
    public Uni<byte[]> query() {
        return postedQuery(new MultivaluedHashMap<>());
    }

    @POST
    @Path("query")
    @Consumes(MediaType.APPLICATION_FORM_URLENCODED)
    @Operation(hidden = true)
    public Uni<byte[]> postedQuery(MultivaluedMap<String, String> form) {
        PrometheusParameters parameters = parameters(form);
        return written(parameters, how -> queries.instant(parameters.required("query"), parameters.time("time"), how));
    }

    /** As Prometheus, with the parameters in the address, whatever type the body is said to have. */
    @POST
    @Path("query_range")
    @Consumes(MediaType.WILDCARD)
    @Operation(hidden = true)
    public Uni<byte[]> queryRangeOfAddress() {
        return queryRange();
    }

    @GET
    @Path("query_range")
    @Operation(hidden = true)
    public Uni<byte[]> queryRange() {
        return postedQueryRange(new MultivaluedHashMap<>());
    }

    @POST
    @Path("query_range")
    @Consumes(MediaType.APPLICATION_FORM_URLENCODED)
    @Operation(hidden = true)
    public Uni<byte[]> postedQueryRange(MultivaluedMap<String, String> form) {
        PrometheusParameters parameters = parameters(form);
        return written(parameters, how -> queries.range(parameters.required("query"), parameters.range(), how));
    }

    /** As Prometheus, with the parameters in the address, whatever type the body is said to have. */
    @POST
    @Path("series")
    @Consumes(MediaType.WILDCARD)
    @Operation(hidden = true)
    public Uni<byte[]> seriesOfAddress() {
        return series();
    }

    @GET
    @Path("series")
    @Operation(hidden = true)
    public Uni<byte[]> series() {
        return postedSeries(new MultivaluedHashMap<>());
    }

    @POST
    @Path("series")
    @Consumes(MediaType.APPLICATION_FORM_URLENCODED)
    @Operation(hidden = true)
    public Uni<byte[]> postedSeries(MultivaluedMap<String, String> form) {
        PrometheusParameters parameters = parameters(form);
        return written(parameters, how -> queries.series(parameters.requiredSelectors(), parameters.seriesRange(), how));
    }

    /** As Prometheus, with the parameters in the address, whatever type the body is said to have. */
    @POST
    @Path("labels")
    @Consumes(MediaType.WILDCARD)
    @Operation(hidden = true)
    public PrometheusAnswer labelsOfAddress() {
        return labels();
    }

    @GET
    @Path("labels")
    @Operation(hidden = true)
    public PrometheusAnswer labels() {
        return postedLabels(new MultivaluedHashMap<>());
    }

    @POST
    @Path("labels")
    @Consumes(MediaType.APPLICATION_FORM_URLENCODED)
    @Operation(hidden = true)
    public PrometheusAnswer postedLabels(MultivaluedMap<String, String> form) {
        PrometheusParameters parameters = parameters(form);
        return queries.labels(parameters.selectors(), parameters.limit());
    }

    @GET
    @Path("label/{name}/values")
    @Operation(hidden = true)
    public Uni<byte[]> values(@PathParam("name") String name) {
        PrometheusParameters parameters = parameters(new MultivaluedHashMap<>());
        return written(parameters, how -> queries.values(name, parameters.selectors(), parameters.seriesRange(), how));
    }

    @GET
    @Path("metadata")
    @Operation(hidden = true)
    public PrometheusAnswer metadata() {
        PrometheusParameters parameters = parameters(new MultivaluedHashMap<>());
        return queries.metadata(parameters.text("metric"), parameters.limit());
    }

    @GET
    @Path("status/buildinfo")
    @Operation(hidden = true)
    public PrometheusAnswer buildInfo() {
        return PrometheusAnswer.of(new BuildInfo(VERSION, "windrow", "", "", "", ""), List.of());
    }

    /** None, as of a Prometheus without rules: Grafana shows an error where a data source knows no such path. */
    @GET
    @Path("rules")
    @Operation(hidden = true)
    public PrometheusAnswer rules() {
        return PrometheusAnswer.of(Map.of("groups", List.of()), List.of());
    }

    /** What clients look at to find out what they may ask. */
    @RegisterForReflection
    record BuildInfo(String version, String revision, String branch, String buildUser, String buildDate, String goVersion) {
    }

    /** The parameters of the address and of a posted form. */
    private PrometheusParameters parameters(MultivaluedMap<String, String> form) {
        Map<String, List<String>> joined = new LinkedHashMap<>();
        List.of(RequestQuery.parameters(request.request()), form).forEach(part -> part.forEach(
                (name, values) -> joined.computeIfAbsent(name, absent -> new ArrayList<>()).addAll(values)));
        return new PrometheusParameters(joined, requests.context().now());
    }

    /** Written where the answer was computed, on a worker thread: the largest have megabytes of text. */
    private Uni<byte[]> written(PrometheusParameters parameters, Function<MetricQuery, Uni<PrometheusAnswer>> answer) {
        return memory.during(held -> answer.apply(new MetricQuery(caller.tenant(parameters.single(QueryParameter.TENANT)),
                parameters.options(), requests.context(), config.maxSamples(), held::add))
                .map(Unchecked.function(json::writeValueAsBytes)));
    }

    @ServerExceptionMapper
    public Response invalid(InvalidInputException failure) {
        return response(failure.reason(), Problems.detail(failure));
    }

    @ServerExceptionMapper({ UnauthorizedException.class, AuthenticationFailedException.class })
    public Response unauthenticated() {
        return response(Reason.UNAUTHENTICATED, HttpHeaders.AUTHORIZATION + ": expected 'Bearer' and a valid credential");
    }

    @ServerExceptionMapper
    public Response notGathered(GatherException failure, HttpServerRequest request) {
        if (failure.reason() == Reason.INTERNAL) {
            LOG.error(failure, "request failed", LogKey.REASON.of(failure.reason().word()), LogKey.PATH.of(request.path()));
        } else {
            LOG.warn("request failed; returned an error", LogKey.REASON.of(failure.reason().word()),
                    LogKey.PATH.of(request.path()), LogKey.ERROR.of(failure.getMessage()));
        }
        return response(failure.reason(), Problems.detail(failure));
    }

    private Response response(Reason reason, String detail) {
        Problem problem = problems.of(reason, detail, null, null);
        Response.ResponseBuilder response = Response.status(PrometheusError.status(problem))
                .type(MediaType.APPLICATION_JSON_TYPE).entity(PrometheusError.of(problem));
        problems.headers(problem).forEach(response::header);
        return response.build();
    }

    /**
     * An answer in the format of Prometheus' API.
     *
     * @param status {@code success}
     * @param warnings what the data lacks, or may lack; absent if nothing
     */
    @RegisterForReflection
    public record PrometheusAnswer(String status, Object data,
            @JsonInclude(JsonInclude.Include.NON_EMPTY) List<String> warnings) {

        static PrometheusAnswer of(Object data, List<String> warnings) {
            return new PrometheusAnswer("success", data, warnings);
        }
    }
}
