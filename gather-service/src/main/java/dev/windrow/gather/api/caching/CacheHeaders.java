package dev.windrow.gather.api.caching;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

import jakarta.inject.Inject;
import jakarta.inject.Provider;
import jakarta.ws.rs.container.ContainerRequestContext;
import jakarta.ws.rs.container.ContainerResponseContext;
import jakarta.ws.rs.core.HttpHeaders;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;

import org.jboss.resteasy.reactive.server.ServerRequestFilter;
import org.jboss.resteasy.reactive.server.ServerResponseFilter;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;

import dev.windrow.base.Reason;
import dev.windrow.gather.api.ApiConfig;
import dev.windrow.gather.api.problem.Problem;
import dev.windrow.gather.api.problem.Problems;
import dev.windrow.gather.http.RequestQuery;
import dev.windrow.gather.query.QueryParameter;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;

/**
 * Adds the headers of caching and paging to answers. Every answer is for its reader alone, and differs by credential.
 * Answers about closed ranges carry an entity tag, unless they explain how they were gathered; a client that has the content
 * already gets 304.
 */
class CacheHeaders {

    private static final MediaType PROBLEM = MediaType.valueOf(Problem.MEDIA_TYPE);
    /** What answers differ by; the origin is named in those to pages of other origins. */
    private static final String VARIES_BY = "Accept, Accept-Encoding, Authorization, Origin, X-API-Key";

    /** Looked up lazily, as filters are created before settings are read. */
    @Inject
    Provider<ApiConfig> config;

    @Inject
    Provider<Problems> problems;

    @Inject
    Provider<RequestQuery> address;

    @Inject
    ObjectMapper json;

    /** Before the resource answers, as streams pass no filter of responses. Documents say more, see below. */
    @ServerRequestFilter
    void keepPrivate(HttpServerRequest request) {
        request.response().putHeader(HttpHeaders.VARY, VARIES_BY).putHeader(HttpHeaders.CACHE_CONTROL, "private, no-cache");
    }

    @ServerResponseFilter
    void addHeaders(ContainerRequestContext request, ContainerResponseContext response, HttpServerRequest sent)
            throws JsonProcessingException {
        if (!(response.getEntity() instanceof Cacheable answer)) {
            return;
        }
        // As it was sent: a query that was posted is served as GET.
        boolean isRead = !sent.method().equals(HttpMethod.POST);
        String next = answer.next();
        if (next != null && isRead) {
            response.getHeaders().putSingle(HttpHeaders.LINK, "<" + linked(sent.path(), next) + ">; rel=\"next\"");
        }
        // Replaces the other: a header of this response would be sent besides it.
        sent.response().putHeader(HttpHeaders.CACHE_CONTROL, cacheControl(answer));
        String ifMatch = request.getHeaderString(HttpHeaders.IF_MATCH);
        if (ifMatch != null && !EntityTags.allowsWeak(ifMatch)) {
            Problem problem = problems.get().of(Reason.PRECONDITION_FAILED, "If-Match: expected * or none, as tags are weak",
                    sent.path(), HttpHeaders.IF_MATCH);
            response.setStatus(problem.status());
            response.setEntity(problem, null, PROBLEM);
            return;
        }
        if (answer.cacheLifetime() == CacheLifetime.LONG && answer.explain() == null) {
            // Once for both tag and body: for long answers this dominates the cost.
            byte[] body = json.writeValueAsBytes(answer);
            String tag = EntityTags.of(body);
            response.setEntity(body);
            response.getHeaders().putSingle(HttpHeaders.ETAG, "W/\"" + tag + "\"");
            String known = request.getHeaderString(HttpHeaders.IF_NONE_MATCH);
            if (known != null && isRead && EntityTags.anyMatches(known, tag)) {
                response.setStatus(Response.Status.NOT_MODIFIED.getStatusCode());
                response.setEntity(null);
            }
        }
    }

    /** Relative, as only a proxy knows its public name and scheme. */
    private String linked(String path, String next) {
        Map<String, List<String>> parameters = new LinkedHashMap<>(address.get().parameters());
        parameters.put(QueryParameter.CURSOR.word(), List.of(next));
        return parameters.entrySet().stream()
                .flatMap(each -> each.getValue().stream().map(value -> encoded(each.getKey()) + "=" + encoded(value)))
                .collect(Collectors.joining("&", path + "?", ""));
    }

    /** A space as %20, which every reader takes for one. */
    private static String encoded(String value) {
        return URLEncoder.encode(value, StandardCharsets.UTF_8).replace("+", "%20");
    }

    private String cacheControl(Cacheable answer) {
        if (answer.cacheLifetime() == CacheLifetime.NOT) {
            return "no-store";
        }
        return "private, max-age=" + (answer.cacheLifetime() == CacheLifetime.LONG ? config.get().closedMaxAge()
                : config.get().openMaxAge()).toSeconds();
    }
}
