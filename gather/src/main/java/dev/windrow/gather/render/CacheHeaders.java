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
import org.jspecify.annotations.Nullable;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;

import dev.windrow.base.Reason;
import dev.windrow.gather.http.Problem;
import dev.windrow.gather.http.Problems;
import dev.windrow.gather.http.RequestQuery;
import dev.windrow.gather.plan.QueryParameter;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;

/**
 * Adds the headers of caching and paging to answers. Every answer is for its reader alone, and differs by credential.
 * Answers about closed ranges carry an entity tag, unless they explain how they were gathered; a client that has the content
 * already gets 304.
 */
public class CacheHeaders {

    private static final MediaType PROBLEM = MediaType.valueOf(Problem.MEDIA_TYPE);
    /** What answers differ by; the origin is named in those to pages of other origins. */
    private static final String VARIES_BY = "Accept, Accept-Encoding, Authorization, Origin, X-API-Key";

    /** Looked up lazily, as filters are created before settings are read. */
    @Inject
    Provider<Problems> problems;

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
            response.getHeaders().putSingle(HttpHeaders.LINK, "<" + linked(sent, next) + ">; rel=\"next\"");
        }
        // Replaces the other: a header of this response would be sent besides it.
        sent.response().putHeader(HttpHeaders.CACHE_CONTROL, answer.cacheLifetime().cacheControl);
        String ifMatch = request.getHeaderString(HttpHeaders.IF_MATCH);
        // Compared strongly, which a weak tag never passes.
        if (ifMatch != null && !ifMatch.strip().equals("*")) {
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
    private static String linked(HttpServerRequest sent, String next) {
        Map<String, List<String>> parameters = new LinkedHashMap<>(RequestQuery.parameters(sent));
        parameters.put(QueryParameter.CURSOR.word(), List.of(next));
        return parameters.entrySet().stream()
                .flatMap(each -> each.getValue().stream().map(value -> encoded(each.getKey()) + "=" + encoded(value)))
                .collect(Collectors.joining("&", sent.path() + "?", ""));
    }

    /** A space as %20, which every reader takes for one. */
    private static String encoded(String value) {
        return URLEncoder.encode(value, StandardCharsets.UTF_8).replace("+", "%20");
    }

    /** Makes entity tags, and compares them with conditions of requests (RFC 9110, sections 8.8.3 and 13.1). */
    static final class EntityTags {

        private static final String MOMENT = "\"asOf\":\"";
        /** Two answers to one query have the same tag by chance once in 2^64 times. */
        private static final int BYTES = 8;

        private static final Pattern TAG = Pattern.compile("(?:W/)?\"([\\x21\\x23-\\x7e\\x80-\\xff]*+)\"");

        /**
         * The tag of an answer. The same answer read at another moment has the same tag: {@code asOf} is left out. No label can
         * look like it, as its quotes are escaped.
         */
        static String of(byte[] answer) {
            String text = new String(answer, ISO_8859_1);
            int found = text.lastIndexOf(MOMENT);
            int moment = found < 0 ? answer.length : found + MOMENT.length();
            int end = found < 0 ? answer.length : text.indexOf('"', moment);
            // Processors have instructions for it: several times as fast as other hashes in Java.
            MessageDigest digest = DigestUtils.getSha256Digest();
            digest.update(answer, 0, moment);
            digest.update(answer, end, answer.length - end);
            return HexFormat.of().formatHex(digest.digest(), 0, BYTES);
        }

        /**
         * Whether the header If-None-Match names this tag, by weak comparison: whether one or both are weak does not matter.
         */
        static boolean anyMatches(String header, String opaqueTag) {
            return header.strip().equals("*") || TAG.matcher(header).results().anyMatch(tag -> tag.group(1).equals(opaqueTag));
        }
    }

    /** An answer that says how long it may be kept. */
    public interface Cacheable {

        CacheLifetime cacheLifetime();

        /** The cursor of the page that follows, or null if none does. */
        default @Nullable String next() {
            return null;
        }

        /** How it was gathered, if requested: that differs from one time to the next. */
        @Nullable
        Object explain();
    }

    /** How long a client may keep an answer. */
    public enum CacheLifetime {

        /** Not at all: the client requested consistent data, or something is, or may be, missing. */
        NOT("no-store"),
        /**
         * For a moment: its buckets may still change, or the same request be about another range. The finest buckets are
         * written once a second.
         */
        BRIEFLY("private, max-age=1"),
        /**
         * For an hour, as long as a range is open by default: every bucket of its range has ended long enough ago that late
         * events are rare.
         */
        LONG("private, max-age=3600");

        private final String cacheControl;

        CacheLifetime(String cacheControl) {
            this.cacheControl = cacheControl;
        }
    }
}
