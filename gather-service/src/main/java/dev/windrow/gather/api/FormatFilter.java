package dev.windrow.gather.api;

import java.util.Optional;

import jakarta.ws.rs.container.ContainerRequestContext;
import jakarta.ws.rs.core.HttpHeaders;
import jakarta.ws.rs.core.MediaType;

import org.jboss.resteasy.reactive.server.ServerRequestFilter;

import dev.windrow.gather.query.Operation;
import dev.windrow.reason.Reason;
import dev.windrow.reason.ReasonedException;

/**
 * Chooses the format of an answer: by the parameter {@code format}, for links and address bars, or else by the header
 * Accept; JSON for whoever takes anything.
 */
class FormatFilter {

    @ServerRequestFilter(preMatching = true)
    void chooseFormat(ContainerRequestContext request) {
        Optional<Operation> operation = Operation.ofPath(request.getUriInfo().getPath());
        if (operation.isEmpty() || operation.get() == Operation.LIVE) {
            return;
        }
        Optional.ofNullable(request.getUriInfo().getQueryParameters().getFirst("format"))
                .map(FormatFilter::byName).or(() -> byAccept(request))
                .ifPresent(accept -> request.getHeaders().putSingle(HttpHeaders.ACCEPT, accept));
    }

    private static String byName(String format) {
        return switch (format) {
            case "json" -> MediaType.APPLICATION_JSON;
            case "ndjson" -> Lines.accept(false);
            case "csv" -> Lines.accept(true);
            default -> throw new ReasonedException(Reason.INVALID_PARAMETER, "format",
                    "expected one of json, ndjson, csv");
        };
    }

    /** The first type accepted that is known; empty leaves it to the router to say that none is. */
    private static Optional<String> byAccept(ContainerRequestContext request) {
        for (MediaType type : request.getAcceptableMediaTypes()) {
            if (type.isCompatible(MediaType.APPLICATION_JSON_TYPE)) {
                return Optional.of(MediaType.APPLICATION_JSON);
            }
            String name = type.getType() + "/" + type.getSubtype();
            if (name.equals(Lines.NDJSON) || name.equals(Lines.CSV)) {
                return Optional.of(Lines.accept(name.equals(Lines.CSV)));
            }
        }
        return Optional.empty();
    }
}
