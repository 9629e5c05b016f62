package dev.windrow.writer.process;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

import com.sun.net.httpserver.HttpServer;

import dev.windrow.local.fault.Fault;
import dev.windrow.local.fault.FaultPlan;
import dev.windrow.local.fault.ProxiedRequest;

/**
 * Hands out credentials the way a container's host does: the same until new ones are due, as the SDK requests them at
 * nearly each use once the end is near. They are revoked a little before, so that each set ends while requests are under
 * way.
 */
final class CredentialsEndpoint implements AutoCloseable {

    /** From then on the SDK does without the old ones. */
    private static final Duration UNUSED_BEFORE_EXPIRY = Duration.ofMinutes(1);
    private static final Duration USED_FOR = Duration.ofSeconds(5);
    private static final Duration RENEWED_AFTER = Duration.ofSeconds(4);
    private static final Duration VALID_FOR = Duration.ofSeconds(3);
    private static final String ACCESS_KEY = "windrow";

    private final Clock clock;
    private final HttpServer server;
    private final Set<String> seen = ConcurrentHashMap.newKeySet();
    private Instant issued = Instant.EPOCH;

    CredentialsEndpoint(Clock clock) {
        this.clock = clock;
        try {
            server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        server.createContext("/credentials", exchange -> {
            byte[] body = credentials().getBytes(StandardCharsets.UTF_8);
            exchange.getResponseHeaders().set("Content-Type", "application/json");
            exchange.sendResponseHeaders(200, body.length);
            exchange.getResponseBody().write(body);
            exchange.close();
        });
        server.start();
    }

    /** The value of AWS_CONTAINER_CREDENTIALS_FULL_URI. */
    URI address() {
        return URI.create("http://127.0.0.1:" + server.getAddress().getPort() + "/credentials");
    }

    /** Refuses requests that are signed with revoked credentials. */
    FaultPlan refuse(Fault expired) {
        return request -> isRevoked(request) ? expired : new Fault.Pass();
    }

    /** How many sets of credentials were used. */
    int used() {
        return seen.size();
    }

    private boolean isRevoked(ProxiedRequest request) {
        String key = request.accessKeyId();
        seen.add(key);
        Instant issuedAt = Instant.ofEpochMilli(Long.parseLong(key.substring(ACCESS_KEY.length())));
        return clock.instant().isAfter(issuedAt.plus(VALID_FOR));
    }

    private synchronized String credentials() {
        Instant now = clock.instant();
        if (now.isAfter(issued.plus(RENEWED_AFTER))) {
            issued = now;
        }
        return """
                {"AccessKeyId":"%s","SecretAccessKey":"secret","Token":"token","Expiration":"%s"}
                """.formatted(ACCESS_KEY + issued.toEpochMilli(), issued.plus(USED_FOR).plus(UNUSED_BEFORE_EXPIRY));
    }

    @Override
    public void close() {
        server.stop(0);
    }
}
