package dev.windrow.gather.api;

import jakarta.inject.Inject;
import jakarta.inject.Provider;
import jakarta.ws.rs.container.ContainerRequestContext;
import jakarta.ws.rs.container.ContainerResponseContext;
import jakarta.ws.rs.core.EntityTag;
import jakarta.ws.rs.core.HttpHeaders;
import jakarta.ws.rs.core.Response;

import org.jboss.resteasy.reactive.server.ServerResponseFilter;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;

import dev.windrow.scatter.Hashes;

/**
 * Says how long an answer may be kept and where its next page is. Answers about closed ranges carry a tag of their content,
 * unless they explain how they were gathered; a client that has it already is told so.
 */
class CacheHeaders {

    private static final String MOMENT = "\"asOf\":\"";

    /** Asked for late, as filters are made before settings are read. */
    @Inject
    Provider<ApiConfig> config;

    @Inject
    ObjectMapper json;

    @ServerResponseFilter
    void addHeaders(ContainerRequestContext request, ContainerResponseContext response) throws JsonProcessingException {
        if (!(response.getEntity() instanceof Cacheable answer)) {
            return;
        }
        if (answer instanceof Page<?> page && page.next() != null && request.getMethod().equals("GET")) {
            response.getHeaders().putSingle(HttpHeaders.LINK, "<" + request.getUriInfo().getRequestUriBuilder()
                    .replaceQueryParam("cursor", page.next()).build() + ">; rel=\"next\"");
        }
        response.getHeaders().putSingle(HttpHeaders.VARY, "Accept, Accept-Encoding, Authorization, X-API-Key");
        response.getHeaders().putSingle(HttpHeaders.CACHE_CONTROL, cacheControl(answer));
        if (answer.complete() && answer.closed() && answer.explain() == null) {
            // Once for the tag and the answer alike: of long answers this is most of the work.
            String text = json.writeValueAsString(answer);
            String tag = Long.toHexString(Hashes.hash64(withoutMoment(text)));
            response.setEntity(text);
            response.getHeaders().putSingle(HttpHeaders.ETAG, "W/\"" + tag + "\"");
            Response.ResponseBuilder unchanged = request.getMethod().equals("GET")
                    ? request.getRequest().evaluatePreconditions(new EntityTag(tag, true))
                    : null;
            if (unchanged != null) {
                response.setStatus(unchanged.build().getStatus());
                response.setEntity(null);
            }
        }
    }

    /** The same answer read at another moment has the same tag. No label can look like this, as its quotes are escaped. */
    private static String withoutMoment(String answer) {
        int begin = answer.lastIndexOf(MOMENT);
        int end = answer.indexOf('"', begin + MOMENT.length());
        return begin < 0 ? answer : answer.substring(0, begin) + answer.substring(end);
    }

    private String cacheControl(Cacheable answer) {
        if (!answer.complete()) {
            return "no-store";
        }
        return "private, max-age=" + (answer.closed() ? config.get().keepClosed() : config.get().keepOpen()).toSeconds();
    }
}
