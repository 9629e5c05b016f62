package dev.windrow.gather.api.prometheus;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import jakarta.enterprise.context.ApplicationScoped;
import jakarta.ws.rs.core.MultivaluedMap;

import dev.windrow.gather.api.ApiConfig;
import dev.windrow.gather.api.request.QueryContexts;
import dev.windrow.gather.fanout.HeldMemory;
import dev.windrow.gather.http.RequestQuery;
import dev.windrow.gather.prometheus.MetricQuery;
import dev.windrow.gather.query.QueryParameter;
import dev.windrow.gather.security.Caller;

/** Reads requests: their parameters, and whose data they are about. */
@ApplicationScoped
class PrometheusRequests {

    /** The release of Prometheus whose API this is; clients choose features by it. */
    static final String VERSION = "2.42.0";

    private final QueryContexts contexts;
    private final RequestQuery address;
    private final Caller caller;
    private final ApiConfig config;

    PrometheusRequests(QueryContexts contexts, RequestQuery address, Caller caller, ApiConfig config) {
        this.contexts = contexts;
        this.address = address;
        this.caller = caller;
        this.config = config;
    }

    /** The parameters of a GET. */
    PrometheusParameters parameters() {
        return new PrometheusParameters(address.parameters(), contexts.current().now());
    }

    /** The parameters of a posted form and of its address. */
    PrometheusParameters parameters(MultivaluedMap<String, String> form) {
        Map<String, List<String>> joined = new LinkedHashMap<>();
        List.of(address.parameters(), form).forEach(part -> part.forEach(
                (name, values) -> joined.computeIfAbsent(name, absent -> new ArrayList<>()).addAll(values)));
        return new PrometheusParameters(joined, contexts.current().now());
    }

    /**
     * How the present request is read.
     *
     * @param held by the request until it is answered
     */
    MetricQuery query(PrometheusParameters parameters, HeldMemory.Share held) {
        return new MetricQuery(caller.tenant(parameters.single(QueryParameter.TENANT)), parameters.options(),
                contexts.current(), config.prometheus().maxSamples(), held::add);
    }
}
