package dev.windrow.gather.api.request;

import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

import jakarta.ws.rs.HttpMethod;
import jakarta.ws.rs.container.ContainerRequestContext;
import jakarta.ws.rs.core.HttpHeaders;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;

import org.jboss.resteasy.reactive.server.ServerRequestFilter;
import org.jspecify.annotations.Nullable;

import dev.windrow.base.InvalidInputException;
import dev.windrow.base.Reason;
import dev.windrow.gather.api.rendering.LineFormats;
import dev.windrow.gather.http.RequestQuery;
import dev.windrow.gather.query.QueryKind;
import dev.windrow.gather.query.QueryParameter;
import dev.windrow.gather.security.Caller;
import io.smallrye.mutiny.Uni;
import io.vertx.core.http.HttpServerRequest;

/**
 * Reads the parameters of a query before its resource is chosen, as two things choose it. The method: every query that is
 * posted is served as the GET of the same parameters, so that resources know GET only. And the format: the parameter {@code
 * format}, for links and address bars, or else the header Accept; JSON for clients that accept anything.
 */
class ParameterFilter {

    private static final Set<String> METHODS = Collections.unmodifiableSet(new LinkedHashSet<>(
            List.of(HttpMethod.GET, HttpMethod.HEAD, HttpMethod.OPTIONS, HttpMethod.POST)));

    private final Caller caller;
    private final ParameterBodyReader bodies;
    private final BodyParameters posted;

    ParameterFilter(Caller caller, ParameterBodyReader bodies, BodyParameters posted) {
        this.caller = caller;
        this.bodies = bodies;
        this.posted = posted;
    }

    /** The response if no resource is needed, else null. */
    @ServerRequestFilter(preMatching = true)
    Uni<@Nullable Response> read(ContainerRequestContext context, HttpServerRequest request) {
        Optional<QueryKind> query = QueryKind.ofPath(context.getUriInfo().getPath()).filter(QueryKind::isPostable);
        if (query.isEmpty()) {
            return Uni.createFrom().nullItem();
        }
        QueryKind kind = query.get();
        switch (context.getMethod()) {
            case HttpMethod.OPTIONS -> {
                return Uni.createFrom().item(Response.ok().allow(METHODS).build());
            }
            case HttpMethod.POST -> {
                // The resource refuses a body that is not JSON, as it would refuse it with GET.
                context.setMethod(HttpMethod.GET);
                if (isJson(context.getMediaType())) {
                    // What a stranger sends is not read.
                    return caller.admitted().chain(() -> bodies.read(request)).onItem().transformToUni(members -> {
                        posted.set(members);
                        chooseFormat(kind, context, request, members);
                        return Uni.createFrom().nullItem();
                    });
                }
                chooseFormat(kind, context, request, Map.of());
            }
            default -> chooseFormat(kind, context, request, Map.of());
        }
        return Uni.createFrom().nullItem();
    }

    /** A body without a type is read as JSON. */
    private static boolean isJson(MediaType type) {
        return type == null || type.isCompatible(MediaType.APPLICATION_JSON_TYPE);
    }

    /** Queries without the parameter are answered in JSON only; whoever gives it then learns that they do not take it. */
    private static void chooseFormat(QueryKind kind, ContainerRequestContext context, HttpServerRequest request,
            Map<String, List<String>> members) {
        String name = QueryParameter.FORMAT.word();
        boolean hasFormats = kind.parameters().contains(QueryParameter.FORMAT);
        Optional<String> named = RequestQuery.parameters(request).getOrDefault(name, List.of()).stream().findFirst()
                .or(() -> members.getOrDefault(name, List.of()).stream().findFirst()).filter(format -> hasFormats);
        named.map(ParameterFilter::byName).or(() -> byAccept(context, hasFormats)).ifPresent(accept -> {
            context.getHeaders().putSingle(HttpHeaders.ACCEPT, accept);
            if (!accept.equals(MediaType.APPLICATION_JSON)) {
                // "identity", by which the framework keeps answers from being compressed until it knows their type.
                request.response().headers().remove(HttpHeaders.CONTENT_ENCODING);
            }
        });
    }

    private static String byName(String format) {
        return switch (format) {
            case "json" -> MediaType.APPLICATION_JSON;
            case "ndjson" -> LineFormats.accept(false);
            case "csv" -> LineFormats.accept(true);
            default -> throw new InvalidInputException(Reason.INVALID_PARAMETER, QueryParameter.FORMAT.word(),
                    "expected one of " + String.join(", ", QueryParameter.FORMATS));
        };
    }

    /** The first type accepted that is known; empty leaves it to the router to say that none is. */
    private static Optional<String> byAccept(ContainerRequestContext context, boolean hasFormats) {
        for (MediaType type : context.getAcceptableMediaTypes()) {
            if (type.isCompatible(MediaType.APPLICATION_JSON_TYPE)) {
                return Optional.of(MediaType.APPLICATION_JSON);
            }
            String name = type.getType() + "/" + type.getSubtype();
            if (hasFormats && (name.equals(LineFormats.NDJSON) || name.equals(LineFormats.CSV))) {
                return Optional.of(LineFormats.accept(name.equals(LineFormats.CSV)));
            }
        }
        return Optional.empty();
    }
}
