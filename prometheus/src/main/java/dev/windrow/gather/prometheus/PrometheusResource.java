package dev.windrow.gather.prometheus;

import java.util.List;
import java.util.Map;
import java.util.function.Function;

import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.MediaType;

import org.eclipse.microprofile.openapi.annotations.Operation;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.ObjectWriter;

import dev.windrow.gather.fanout.HeldMemory;
import dev.windrow.gather.http.ApiConfig;
import dev.windrow.gather.parameter.QueryParameter;
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

}
