package dev.windrow.gather.operate;

import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import jakarta.inject.Singleton;

import dev.windrow.gather.http.Problem;
import dev.windrow.gather.parameter.QueryKind;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.config.MeterFilter;
import io.micrometer.core.instrument.config.MeterFilterReply;
import io.micrometer.core.instrument.distribution.DistributionStatisticConfig;

/** Selects the HTTP metrics and limits their tags. */
@Singleton
final class MeterFilters implements MeterFilter {

    private static final String REQUESTS = "http.server.requests";
    private static final double[] BUCKETS_MILLIS = { 5, 10, 25, 50, 100, 250, 500, 1_000, 2_500, 5_000, 10_000, 30_000 };

    /**
     * Gauges that each HTTP server registers under one name. There is a server for each port and event loop, so the first one's
     * number would stand for all, with a warning in the log for each of the others.
     */
    private static final Set<String> PER_SERVER = Set.of("http.server.active.connections", "http.server.active.requests",
            "vertx.http.connections.current", "vertx.http.connections.max");

    private static final String METHOD = "method";
    private static final String URI = "uri";

    /** The methods of RFC 9110, and PATCH. */
    private static final Set<String> METHODS = Set.of("GET", "HEAD", "POST", "PUT", "DELETE", "CONNECT", "OPTIONS", "TRACE",
            "PATCH");

    private static final String API = "/api/";
    private static final String PAGE = "/page/";

    private static final String DATASETS = "/api/v1/datasets";
    private static final String PROMETHEUS = "/api/v1/prometheus/api/v1/";
    private static final Set<String> URIS = Stream.of(
            Stream.of("root", "NOT_FOUND", "REDIRECTION", "/cors-preflight", DATASETS, DATASETS + "/{dataset}/dashboard",
                    Problem.TYPES + "{reason}"),
            Arrays.stream(QueryKind.values()).map(kind -> DATASETS + "/{dataset}/" + kind.word()),
            Stream.of("query", "query_range", "series", "labels", "label/{name}/values", "metadata", "rules",
                    "status/buildinfo")
                    .map(PROMETHEUS::concat))
            .flatMap(uris -> uris).collect(Collectors.toUnmodifiableSet());

    @Override
    public MeterFilterReply accept(Meter.Id id) {
        return PER_SERVER.contains(id.getName()) ? MeterFilterReply.DENY : MeterFilterReply.NEUTRAL;
    }

    /**
     * Keeps the number of HTTP request meters low. Method and path are the client's text unless a resource was matched. Each
     * new value makes a meter that is never removed, and beyond a number of paths the framework measures no new one.
     */
    @Override
    public Meter.Id map(Meter.Id id) {
        if (!id.getName().equals(REQUESTS)) {
            return id;
        }
        List<Tag> tags = id.getTags().stream().map(tag -> switch (tag.getKey()) {
            case METHOD -> Tag.of(METHOD, METHODS.contains(tag.getValue()) ? tag.getValue() : "OTHER");
            case URI -> Tag.of(URI, uri(tag.getValue()));
            default -> tag;
        }).toList();
        return id.replaceTags(tags);
    }

    private static String uri(String uri) {
        if (URIS.contains(uri)) {
            return uri;
        }
        // Dashboards and alerts select by this prefix.
        if (uri.startsWith(API)) {
            return API + "other";
        }
        return uri.startsWith(PAGE) ? PAGE + "{file}" : "UNKNOWN";
    }

    /**
     * Adds histogram buckets to the duration of HTTP requests, so that percentiles can be computed over all pods: percentiles
     * of single pods cannot be combined.
     */
    @Override
    public DistributionStatisticConfig configure(Meter.Id id, DistributionStatisticConfig config) {
        if (!id.getName().equals(REQUESTS)) {
            return config;
        }
        double[] nanos = Arrays.stream(BUCKETS_MILLIS).map(millis -> millis * Duration.ofMillis(1).toNanos()).toArray();
        return DistributionStatisticConfig.builder().serviceLevelObjectives(nanos).build().merge(config);
    }
}
