package dev.windrow.gather.api.prometheus;

import java.util.List;
import java.util.function.Function;

import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.MultivaluedMap;
import jakarta.ws.rs.core.Response;

import org.eclipse.microprofile.openapi.annotations.Operation;
import org.jboss.resteasy.reactive.server.ServerExceptionMapper;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.ObjectWriter;

import dev.windrow.base.InvalidInputException;
import dev.windrow.gather.fanout.GatherException;
import dev.windrow.gather.fanout.HeldMemory;
import dev.windrow.gather.prometheus.MetricQuery;
import io.quarkus.runtime.annotations.RegisterForReflection;
import io.quarkus.security.AuthenticationFailedException;
import io.quarkus.security.UnauthorizedException;
import io.smallrye.common.annotation.NonBlocking;
import io.smallrye.mutiny.Uni;
import io.smallrye.mutiny.unchecked.Unchecked;
import io.vertx.core.http.HttpServerRequest;

/** Prometheus' HTTP API over the datasets, for data sources and tools that speak it. */
@Path("/api/v1/prometheus/api/v1")
@Produces(MediaType.APPLICATION_JSON)
@NonBlocking
public class PrometheusResource {

    private final PrometheusRequests requests;
    private final PrometheusQueries queries;
    private final PrometheusSeries series;
    private final PrometheusErrors errors;
    private final HeldMemory memory;
    private final ObjectWriter json;

    PrometheusResource(PrometheusRequests requests, PrometheusQueries queries, PrometheusSeries series,
            PrometheusErrors errors, HeldMemory memory, ObjectMapper json) {
        this.requests = requests;
        this.queries = queries;
        this.series = series;
        this.errors = errors;
        this.memory = memory;
        this.json = json.writerFor(PrometheusAnswer.class);
    }

    @GET
    @Path("query")
    @Operation(hidden = true)
    public Uni<byte[]> query() {
        return query(requests.parameters());
    }

    @POST
    @Path("query")
    @Consumes(MediaType.APPLICATION_FORM_URLENCODED)
    @Operation(hidden = true)
    public Uni<byte[]> postedQuery(MultivaluedMap<String, String> form) {
        return query(requests.parameters(form));
    }

    private Uni<byte[]> query(PrometheusParameters parameters) {
        return written(parameters,
                how -> queries.instant(parameters.required("query"), parameters.time("time"), how));
    }

    @GET
    @Path("query_range")
    @Operation(hidden = true)
    public Uni<byte[]> queryRange() {
        return queryRange(requests.parameters());
    }

    @POST
    @Path("query_range")
    @Consumes(MediaType.APPLICATION_FORM_URLENCODED)
    @Operation(hidden = true)
    public Uni<byte[]> postedQueryRange(MultivaluedMap<String, String> form) {
        return queryRange(requests.parameters(form));
    }

    private Uni<byte[]> queryRange(PrometheusParameters parameters) {
        return written(parameters, how -> queries.range(parameters.required("query"), parameters.range(), how));
    }

    @GET
    @Path("series")
    @Operation(hidden = true)
    public Uni<byte[]> series() {
        return series(requests.parameters());
    }

    @POST
    @Path("series")
    @Consumes(MediaType.APPLICATION_FORM_URLENCODED)
    @Operation(hidden = true)
    public Uni<byte[]> postedSeries(MultivaluedMap<String, String> form) {
        return series(requests.parameters(form));
    }

    private Uni<byte[]> series(PrometheusParameters parameters) {
        return written(parameters, how -> series.series(parameters.requiredSelectors(), parameters.seriesRange(), how));
    }

    @GET
    @Path("labels")
    @Operation(hidden = true)
    public PrometheusAnswer labels() {
        return labels(requests.parameters());
    }

    @POST
    @Path("labels")
    @Consumes(MediaType.APPLICATION_FORM_URLENCODED)
    @Operation(hidden = true)
    public PrometheusAnswer postedLabels(MultivaluedMap<String, String> form) {
        return labels(requests.parameters(form));
    }

    private PrometheusAnswer labels(PrometheusParameters parameters) {
        return series.labels(parameters.selectors(), parameters.limit());
    }

    @GET
    @Path("label/{name}/values")
    @Operation(hidden = true)
    public Uni<byte[]> values(@PathParam("name") String name) {
        PrometheusParameters parameters = requests.parameters();
        return written(parameters,
                how -> series.values(name, parameters.selectors(), parameters.seriesRange(), how));
    }

    @GET
    @Path("metadata")
    @Operation(hidden = true)
    public PrometheusAnswer metadata() {
        PrometheusParameters parameters = requests.parameters();
        return series.metadata(parameters.text("metric"), parameters.limit());
    }

    @GET
    @Path("status/buildinfo")
    @Operation(hidden = true)
    public PrometheusAnswer buildInfo() {
        return PrometheusAnswer.of(new BuildInfo(PrometheusRequests.VERSION, "windrow", "", "", "", ""), List.of());
    }

    /** What clients look at to find out what they may ask. */
    @RegisterForReflection
    record BuildInfo(String version, String revision, String branch, String buildUser, String buildDate, String goVersion) {
    }

    /** Written where the answer was computed, on a worker thread: the largest have megabytes of text. */
    private Uni<byte[]> written(PrometheusParameters parameters, Function<MetricQuery, Uni<PrometheusAnswer>> answer) {
        return memory.during(held -> answer.apply(requests.query(parameters, held)).onItem()
                .transform(Unchecked.function(json::writeValueAsBytes)));
    }

    @ServerExceptionMapper
    public Response invalid(InvalidInputException failure) {
        return errors.of(failure);
    }

    @ServerExceptionMapper({ UnauthorizedException.class, AuthenticationFailedException.class })
    public Response unauthenticated() {
        return errors.unauthenticated();
    }

    @ServerExceptionMapper
    public Response notGathered(GatherException failure, HttpServerRequest request) {
        return errors.of(failure, request.path());
    }
}
