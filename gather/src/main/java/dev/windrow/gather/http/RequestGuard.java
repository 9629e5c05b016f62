package dev.windrow.gather.http;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import java.net.URLDecoder;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.Charset;
import java.time.Clock;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;
import jakarta.ws.rs.core.MediaType;

import org.eclipse.microprofile.config.inject.ConfigProperty;
import org.jboss.resteasy.reactive.common.util.MediaTypeHelper;

import dev.windrow.base.HostNames;
import dev.windrow.base.LogKey;
import dev.windrow.base.Reason;
import dev.windrow.base.StructuredLogger;
import dev.windrow.gather.security.ApiAuthentication;
import io.quarkus.runtime.configuration.MemorySize;
import io.quarkus.vertx.http.HttpServerOptionsCustomizer;
import io.quarkus.vertx.http.runtime.filters.Filters;
import io.vertx.core.MultiMap;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.net.HostAndPort;
import io.vertx.ext.web.RoutingContext;

/** Gives each request an id, logs it, and rejects malformed requests before any other part of the service reads them. */
@Singleton
public class RequestGuard {

    private static final StructuredLogger ACCESS_LOG = StructuredLogger.named("dev.windrow.gather.access");
    private static final String REQUEST_ID = "X-Request-Id";
    private static final Pattern TAKEN_ID = Pattern.compile("[A-Za-z0-9._-]{1,64}");

    /** The id comes first, because the access log contains it; then the log, so that it includes rejected requests. */
    private static final int IDENTIFIED = 10_000;
    private static final int LOGGED = 9_500;
    private static final Pattern ABSOLUTE_TARGET = Pattern.compile("^[A-Za-z][A-Za-z0-9+.-]*://([^/?#]*)");
    private static final String HOST_EXPECTED = "Host: expected an IP address, a name without dots, a name below localhost, "
            + "internal, svc or svc.cluster.local, or one of windrow.gather.api.allowed-hosts, because clients are not "
            + "authenticated: allow the host, or turn on authentication (windrow.gather.authentication.type)";
    private static final String LOGGED_PATH = "windrow.logged-path";
    private static final String ARRIVED = "windrow.arrived";
    /** Before authentication, CORS and routing. */
    private static final int CHECKED = 9_000;

    private final Problems problems;
    private final boolean isAuthenticated;
    private final HostNames hosts;
    private final MemorySize maxBody;
    private final Clock clock;

    RequestGuard(Problems problems, ApiAuthentication authentication, ApiConfig config, Clock clock,
            @ConfigProperty(name = "quarkus.http.limits.max-body-size") MemorySize maxBody) {
        this.problems = problems;
        this.isAuthenticated = authentication.isRequired();
        this.hosts = new HostNames(config.allowedHosts().orElse(List.of()));
        this.maxBody = maxBody;
        this.clock = clock;
    }

    void register(@Observes Filters filters) {
        filters.register(RequestGuard::identify, IDENTIFIED);
        filters.register(this::log, LOGGED);
        filters.register(this::check, CHECKED);
    }

    /** Returns when a request arrived: its deadline counts from then on, whatever it waits for. */
    public static Instant arrived(RoutingContext request) {
        return Objects.requireNonNull(request.<Instant> get(ARRIVED));
    }

    /** Adds an id to every response: the client's own, if it sent a valid one. */
    private static void identify(RoutingContext context) {
        if (context.response().headers().contains(REQUEST_ID)) {
            // Rerouted within the service: it is the same request.
            context.next();
            return;
        }
        String given = context.request().getHeader(REQUEST_ID);
        String id = given != null && TAKEN_ID.matcher(given).matches() ? given : UUID.randomUUID().toString();
        context.response().putHeader(REQUEST_ID, id);
        context.next();
    }

    /**
     * Logs a line for each request when its response has ended. Only paths are logged, because queries contain labels. Quarkus'
     * own access log has no JSON fields and does not limit the length of a path.
     */
    private void log(RoutingContext context) {
        if (context.get(LOGGED_PATH) != null) {
            context.next();
            return;
        }
        long start = clock.millis();
        HttpServerRequest request = context.request();
        String path = String.valueOf(request.path());
        context.put(LOGGED_PATH, path);
        context.put(ARRIVED, Instant.ofEpochMilli(start));
        context.addEndHandler(ended -> ACCESS_LOG.info("request",
                LogKey.REMOTE.of(request.remoteAddress() == null ? "-" : request.remoteAddress().hostAddress()),
                LogKey.METHOD.of(request.method()), LogKey.PATH.of(path),
                LogKey.STATUS.of(context.response().getStatusCode()), LogKey.BYTES.of(context.response().bytesWritten()),
                LogKey.DURATION_MS.of(clock.millis() - start),
                LogKey.REQUEST_ID.of(context.response().headers().get(REQUEST_ID))));
        context.next();
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

    /** Whether all host names in a request are allowed. A browser always sends one; other clients may send none. */
    private boolean areHostsAllowed(HttpServerRequest request) {
        Stream<Stream<String>> given = Stream.of(request.headers().getAll(HttpHeaders.HOST).stream(),
                Stream.ofNullable(request.authority()).map(HostAndPort::host),
                ABSOLUTE_TARGET.matcher(request.uri()).results().map(target -> target.group(1)));
        return given.flatMap(names -> names).filter(name -> !name.isBlank()).allMatch(hosts::isAllowed);
    }

    /**
     * Checks the host, which prevents DNS rebinding. Without authentication, a web page could read everything through a
     * visitor's browser if its owner lets its name resolve to this service's address: for the browser, the answers have the
     * page's origin. Such a request can only be recognized by its host name.
     */
    private boolean hasGoodHost(RoutingContext context) {
        if (isAuthenticated || areHostsAllowed(context.request())) {
            return true;
        }
        problems.send(context, Reason.FORBIDDEN, HOST_EXPECTED, "Host");
        return false;
    }

    /**
     * Checks the framing. A request with Transfer-Encoding is the last one on its connection ({@link ConnectionGuard}). If it
     * also has Content-Length, it may be an attempt at request smuggling (RFC 9112, section 6.3), but the decoder drops the
     * length, so this cannot be detected here.
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
        String length = request.getHeader(HttpHeaders.CONTENT_LENGTH);
        if (length != null && Long.parseLong(length) > maxBody.asLongValue()) {
            // The framework would send only the status, and close the connection because the body is not read.
            context.response().putHeader(HttpHeaders.CONNECTION, HttpHeaders.CLOSE);
            problems.send(context, Reason.CONTENT_TOO_LARGE, Problems.advice(Reason.CONTENT_TOO_LARGE), null);
            return false;
        }
        return true;
    }

    private boolean hasGoodMediaTypes(RoutingContext context) {
        if (!areMediaTypes(context.request().headers(), HttpHeaders.ACCEPT, Integer.MAX_VALUE)) {
            problems.send(context, Reason.BAD_REQUEST, "Accept: expected media types such as application/json", "Accept");
            return false;
        }
        if (!areMediaTypes(context.request().headers(), HttpHeaders.CONTENT_TYPE, 1)) {
            problems.send(context, Reason.UNSUPPORTED_MEDIA_TYPE,
                    "Content-Type: expected one media type such as application/json, and no unknown charset", "Content-Type");
            return false;
        }
        return true;
    }

    /**
     * Drops empty elements, which mean nothing, and parses the others like the framework, which would fail later with 500 on a
     * media type that it cannot parse or a charset that it does not know.
     */
    private static boolean areMediaTypes(MultiMap headers, CharSequence name, int most) {
        String types = headers.getAll(name).stream().flatMap(header -> Arrays.stream(header.split(",")))
                .filter(type -> !type.isBlank()).collect(Collectors.joining(","));
        headers.remove(name);
        if (types.isEmpty()) {
            return true;
        }
        headers.set(name, types);
        try {
            List<MediaType> parsed = MediaTypeHelper.parseHeader(types);
            if (name == HttpHeaders.CONTENT_TYPE) {
                parsed.forEach(
                        type -> Charset.forName(type.getParameters().getOrDefault(MediaType.CHARSET_PARAMETER, "utf-8")));
            }
            // The framework sorts by the weight, and NaN is neither less nor more than any.
            return parsed.size() <= most
                    && parsed.stream().noneMatch(type -> type.getParameters().getOrDefault("q", "").contains("NaN"));
        } catch (IllegalArgumentException e) {
            return false;
        }
    }

    /**
     * Checks request targets (RFC 9112, section 3.2). A path that could be decoded or normalized in different ways is rejected,
     * never repaired: the path that is checked must be the path that is served. Text must be UTF-8: a label with replacement
     * characters would be a different label.
     */
    static final class RequestTarget {

        /** The characters that a URI may have besides letters and digits (RFC 3986); square brackets are common in queries. */
        private static final String PUNCTUATION = "-._~:/?[]@!$&'()*+,=;%";
        private static final Pattern MALFORMED = Pattern
                .compile("([^A-Za-z0-9" + Pattern.quote(PUNCTUATION) + "])|%(?![0-9A-Fa-f]{2})");

        /** Must not be percent-encoded in a path: control characters and any of {@code ./\;%}. */
        private static final Pattern NEVER_ENCODED_IN_PATHS = Pattern.compile("%(?i:[01][0-9a-f]|7f|2e|2f|5c|3b|25)");

        /**
         * Checks a target.
         *
         * @param uri the whole target as sent
         * @param path its path as sent
         * @return an expectation for the client, or empty if the target is good
         */
        static Optional<String> fault(String uri, String path) {
            Matcher bad = MALFORMED.matcher(uri);
            if (bad.find()) {
                return Optional.of(bad.group(1) == null
                        ? "expected two hexadecimal digits after each %, found none at index " + bad.start()
                        : "expected every character but letters, digits and " + PUNCTUATION
                                + " percent-encoded, found U+%04X at index %d"
                                        .formatted((int) uri.charAt(bad.start()), bad.start()));
            }
            String closed = path.endsWith("/") ? path : path + "/";
            if (!path.startsWith("/") || closed.contains("//") || closed.contains("/./") || closed.contains("/../")) {
                return Optional.of("the path must not have empty, '.' or '..' segments");
            }
            if (path.indexOf(';') >= 0) {
                return Optional.of("the path must not contain ';'");
            }
            Matcher hidden = NEVER_ENCODED_IN_PATHS.matcher(path);
            if (hidden.find()) {
                return Optional.of("the path must not contain " + hidden.group());
            }
            try {
                // Only the bytes matter here, so it does no harm that a plus sign is decoded as a space.
                UTF_8.newDecoder().decode(ByteBuffer.wrap(URLDecoder.decode(uri, ISO_8859_1).getBytes(ISO_8859_1)));
                return Optional.empty();
            } catch (CharacterCodingException e) {
                return Optional.of("expected percent-encoded UTF-8");
            }
        }
    }

    /** Settings of the HTTP server that Quarkus has no properties for. */
    @Singleton
    static class HttpServerSettings implements HttpServerOptionsCustomizer {

        /** Allows HTTP/2 over TLS only: with an upgrade in clear text, a client could bypass a proxy that checks paths. */
        @Override
        public void customizeHttpServer(HttpServerOptions options) {
            options.setHttp2ClearTextEnabled(false);
        }
    }
}
