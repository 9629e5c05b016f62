package dev.windrow.gather.render;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

import jakarta.inject.Inject;
import jakarta.inject.Provider;
import jakarta.ws.rs.container.ContainerRequestContext;
import jakarta.ws.rs.container.ContainerResponseContext;
import jakarta.ws.rs.core.HttpHeaders;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;

import org.apache.commons.codec.digest.DigestUtils;
import org.jboss.resteasy.reactive.server.ServerRequestFilter;
import org.jboss.resteasy.reactive.server.ServerResponseFilter;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;

import dev.windrow.base.Reason;
import dev.windrow.gather.http.Problem;
import dev.windrow.gather.http.Problems;
import dev.windrow.gather.http.RequestQuery;
import dev.windrow.gather.parameter.QueryParameter;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;

/**
 * Adds the headers for caching and paging to answers. Answers may only be cached privately, and vary by credential. Answers
 * about closed ranges have an entity tag, unless they explain how they were gathered; a client that already has the content
 * gets 304.
 */
public class CacheHeaders {

    private static final MediaType PROBLEM = MediaType.valueOf(Problem.MEDIA_TYPE);
    /** The request headers that answers vary by; the origin is named in responses to pages of other origins. */
    private static final String VARIES_BY = "Accept, Accept-Encoding, Authorization, Origin, X-API-Key";

    /** Looked up lazily, because filters are created before settings are read. */
    @Inject
    Provider<Problems> problems;

    @Inject
    ObjectMapper json;

    /** Runs before the resource answers, because response filters do not see streams. Documents get another value below. */
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
        // The method as sent: a posted query is served as GET.
        boolean isRead = !sent.method().equals(HttpMethod.POST);
        String next = answer.next();
        if (next != null && isRead) {
            response.getHeaders().putSingle(HttpHeaders.LINK, "<" + linked(sent, next) + ">; rel=\"next\"");
        }
        // Set on the same response as the default, to replace it: a header of the JAX-RS response would be sent in addition.
        sent.response().putHeader(HttpHeaders.CACHE_CONTROL, answer.cacheLifetime().cacheControl);
        String ifMatch = request.getHeaderString(HttpHeaders.IF_MATCH);
        // If-Match compares strongly, and a weak tag never matches.
        if (ifMatch != null && !ifMatch.strip().equals("*")) {
            Problem problem = problems.get().of(Reason.PRECONDITION_FAILED,
                    "If-Match: only * is supported, because tags are weak",
                    sent.path(), HttpHeaders.IF_MATCH);
            response.setStatus(problem.status());
            response.setEntity(problem, null, PROBLEM);
            return;
        }
        if (answer.cacheLifetime() == CacheLifetime.LONG && answer.explain() == null) {
            // Serialized once for both tag and body: for long answers this dominates the cost.
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

    /** Returns a relative link, because only a proxy knows its public name and scheme. */
    private static String linked(HttpServerRequest sent, String next) {
        Map<String, List<String>> parameters = new LinkedHashMap<>(RequestQuery.parameters(sent));
        parameters.put(QueryParameter.CURSOR.word(), List.of(next));
        return parameters.entrySet().stream()
                .flatMap(each -> each.getValue().stream().map(value -> encoded(each.getKey()) + "=" + encoded(value)))
                .collect(Collectors.joining("&", sent.path() + "?", ""));
    }

    /** Encodes a space as %20, which every parser decodes as a space. */
    private static String encoded(String value) {
        return URLEncoder.encode(value, StandardCharsets.UTF_8).replace("+", "%20");
    }

    /** Makes entity tags, and matches them against conditional requests (RFC 9110, sections 8.8.3 and 13.1). */
    static final class EntityTags {

        private static final String MOMENT = "\"asOf\":\"";
        /** Different answers to one query have the same tag by chance once in 2^64 times. */
        private static final int BYTES = 8;

        private static final Pattern TAG = Pattern.compile("(?:W/)?\"([\\x21\\x23-\\x7e\\x80-\\xff]*+)\"");

        /**
         * Returns the tag of an answer. It leaves out {@code asOf}, so that the same answer read at another time has the same
         * tag. A label cannot be mistaken for it, because its quotes are escaped.
         */
        static String of(byte[] answer) {
            String text = new String(answer, ISO_8859_1);
            int found = text.lastIndexOf(MOMENT);
            int moment = found < 0 ? answer.length : found + MOMENT.length();
            int end = found < 0 ? answer.length : text.indexOf('"', moment);
            // Processors have instructions for it, so it is several times as fast as other hashes in Java.
            MessageDigest digest = DigestUtils.getSha256Digest();
            digest.update(answer, 0, moment);
            digest.update(answer, end, answer.length - end);
            return HexFormat.of().formatHex(digest.digest(), 0, BYTES);
        }

        /** Whether the header If-None-Match names this tag. Compares weakly: it does not matter whether either tag is weak. */
        static boolean anyMatches(String header, String opaqueTag) {
            return header.strip().equals("*") || TAG.matcher(header).results().anyMatch(tag -> tag.group(1).equals(opaqueTag));
        }
    }

}
