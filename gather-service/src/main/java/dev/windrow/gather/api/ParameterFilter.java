package dev.windrow.gather.api;

import java.util.List;
import java.util.Map;
import java.util.Optional;

import jakarta.ws.rs.HttpMethod;
import jakarta.ws.rs.container.ContainerRequestContext;
import jakarta.ws.rs.core.HttpHeaders;
import jakarta.ws.rs.core.MediaType;

import org.jboss.resteasy.reactive.server.ServerRequestFilter;

import dev.windrow.gather.query.Operation;
import dev.windrow.gather.query.QueryParameter;
import dev.windrow.reason.InvalidInputException;
import dev.windrow.reason.Reason;
import io.smallrye.mutiny.Uni;
import io.vertx.core.http.HttpServerRequest;

/**
 * Reads the parameters of a body before a resource is chosen, as one of them chooses it: {@code format}, for links and
 * address bars, or else the header Accept; JSON for whoever takes anything.
 */
class ParameterFilter {

    private final ParameterBodyReader bodies;
    private final BodyParameters posted;

    ParameterFilter(ParameterBodyReader bodies, BodyParameters posted) {
        this.bodies = bodies;
        this.posted = posted;
    }

    @ServerRequestFilter(preMatching = true)
    Uni<Void> read(ContainerRequestContext context, HttpServerRequest request) {
        Optional<Operation> operation = Operation.ofPath(context.getUriInfo().getPath());
        if (operation.isEmpty() || operation.get() == Operation.LIVE) {
            return Uni.createFrom().voidItem();
        }
        if (!context.getMethod().equals(HttpMethod.POST) || !isJson(context.getMediaType())) {
            chooseFormat(context, request, Map.of());
            return Uni.createFrom().voidItem();
        }
        return bodies.read(request).onItem().invoke(members -> {
            posted.set(members);
            chooseFormat(context, request, members);
        }).replaceWithVoid();
    }

    /** What has no type is taken for JSON. */
    private static boolean isJson(MediaType type) {
        return type == null || type.isCompatible(MediaType.APPLICATION_JSON_TYPE);
    }

    private static void chooseFormat(ContainerRequestContext context, HttpServerRequest request,
            Map<String, List<String>> members) {
        String name = QueryParameter.FORMAT.word();
        Optional.ofNullable(context.getUriInfo().getQueryParameters().getFirst(name))
                .or(() -> members.getOrDefault(name, List.of()).stream().findFirst())
                .map(ParameterFilter::byName).or(() -> byAccept(context))
                .ifPresent(accept -> {
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
            case "ndjson" -> LineRenderer.accept(false);
            case "csv" -> LineRenderer.accept(true);
            default -> throw new InvalidInputException(Reason.INVALID_PARAMETER, QueryParameter.FORMAT.word(),
                    "expected one of json, ndjson, csv");
        };
    }

    /** The first type accepted that is known; empty leaves it to the router to say that none is. */
    private static Optional<String> byAccept(ContainerRequestContext context) {
        for (MediaType type : context.getAcceptableMediaTypes()) {
            if (type.isCompatible(MediaType.APPLICATION_JSON_TYPE)) {
                return Optional.of(MediaType.APPLICATION_JSON);
            }
            String name = type.getType() + "/" + type.getSubtype();
            if (name.equals(LineRenderer.NDJSON) || name.equals(LineRenderer.CSV)) {
                return Optional.of(LineRenderer.accept(name.equals(LineRenderer.CSV)));
            }
        }
        return Optional.empty();
    }
}
