package dev.windrow.gather.http;

import java.util.List;
import java.util.Optional;

import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;

import dev.windrow.base.Reason;
import dev.windrow.gather.api.ApiConfig;
import dev.windrow.gather.security.ApiAuthentication;
import io.quarkus.vertx.http.runtime.filters.Filters;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.ext.web.RoutingContext;

/** Rejects malformed requests before any other part of the service reads them. */
@Singleton
class RequestGuard {

    /** After {@link RequestIds}, before authentication, CORS and routing. */
    private static final int FIRST = 9_000;

    private final ProblemResponses problems;
    private final boolean isAuthenticated;
    private final HostNames hosts;

    RequestGuard(ProblemResponses problems, ApiAuthentication authentication, ApiConfig config) {
        this.problems = problems;
        this.isAuthenticated = authentication.isRequired();
        this.hosts = new HostNames(config.allowedHosts().orElse(List.of()));
    }

    void register(@Observes Filters filters) {
        filters.register(this::check, FIRST);
    }

    private void check(RoutingContext context) {
        if (hasGoodTarget(context) && hasGoodHost(context) && hasGoodBody(context) && hasGoodMediaTypes(context)) {
            context.next();
        }
    }

    private boolean hasGoodTarget(RoutingContext context) {
        Optional<String> fault = RequestTarget.fault(context.request().uri(), context.request().path());
        fault.ifPresent(expectation -> problems.send(context, Reason.BAD_REQUEST, expectation, null));
        return fault.isEmpty();
    }

    /**
     * Without authentication, a page of any site could read everything through a visitor's browser: the owner of its name lets
     * it resolve to this service's address, and the answers have the origin of the page ("DNS rebinding"). Only its name gives
     * such a request away.
     */
    private boolean hasGoodHost(RoutingContext context) {
        if (isAuthenticated || hosts.areAllowed(context.request())) {
            return true;
        }
        problems.send(context, Reason.FORBIDDEN, HostNames.EXPECTED, "Host");
        return false;
    }

    /**
     * A request with Transfer-Encoding is the last one on its connection ({@link ConnectionGuard}). One that has Content-Length
     * as well may be an
     * attempt at request smuggling (RFC 9112, section 6.3), which cannot be seen here, as the decoder drops the length.
     */
    private boolean hasGoodBody(RoutingContext context) {
        HttpServerRequest request = context.request();
        String encoding = request.getHeader(HttpHeaders.TRANSFER_ENCODING);
        if (encoding != null) {
            context.response().putHeader(HttpHeaders.CONNECTION, HttpHeaders.CLOSE);
            if (!encoding.strip().equalsIgnoreCase("chunked")) {
                problems.send(context, Reason.BAD_REQUEST, "Transfer-Encoding: expected chunked or none", "Transfer-Encoding");
                return false;
            }
        }
        return true;
    }

    private boolean hasGoodMediaTypes(RoutingContext context) {
        HttpServerRequest request = context.request();
        Optional<String> accept = MediaTypes.ranges(String.join(",", request.headers().getAll(HttpHeaders.ACCEPT)));
        if (accept.isEmpty()) {
            problems.send(context, Reason.BAD_REQUEST, "Accept: expected media types such as application/json", "Accept");
            return false;
        }
        if (accept.get().isEmpty()) {
            request.headers().remove(HttpHeaders.ACCEPT);
        } else {
            request.headers().set(HttpHeaders.ACCEPT, accept.get());
        }
        List<String> types = request.headers().getAll(HttpHeaders.CONTENT_TYPE).stream().filter(type -> !type.isBlank())
                .toList();
        if (types.size() > 1 || !types.stream().allMatch(MediaTypes::isType)) {
            problems.send(context, Reason.UNSUPPORTED_MEDIA_TYPE,
                    "Content-Type: expected one media type such as application/json", "Content-Type");
            return false;
        }
        if (types.isEmpty()) {
            request.headers().remove(HttpHeaders.CONTENT_TYPE);
        } else {
            request.headers().set(HttpHeaders.CONTENT_TYPE, types.get(0));
        }
        return true;
    }
}
