package dev.windrow.gather.security;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.Map;

import org.jose4j.jwk.RsaJsonWebKey;
import org.jose4j.jwk.RsaJwkGenerator;
import org.jose4j.jws.AlgorithmIdentifiers;
import org.jose4j.jws.JsonWebSignature;
import org.jose4j.jwt.JwtClaims;
import org.jose4j.lang.JoseException;
import org.jspecify.annotations.Nullable;

import com.sun.net.httpserver.HttpServer;

import io.quarkus.test.common.QuarkusTestResourceLifecycleManager;

/** The part of an OpenID Connect provider that a service which checks tokens talks to: discovery and keys. */
public class OidcProvider implements QuarkusTestResourceLifecycleManager {

    static final String AUDIENCE = "windrow";

    private static final RsaJsonWebKey KEY = key("provider");
    private static @Nullable String issuer;

    private @Nullable HttpServer server;

    @Override
    public Map<String, String> start() {
        try {
            HttpServer started = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
            String url = "http://127.0.0.1:" + started.getAddress().getPort();
            serve(started, "/.well-known/openid-configuration", """
                    {"issuer":"%1$s","jwks_uri":"%1$s/jwks","token_endpoint":"%1$s/token",
                     "authorization_endpoint":"%1$s/authorize"}""".formatted(url));
            serve(started, "/jwks", "{\"keys\":[" + KEY.toJson() + "]}");
            started.start();
            server = started;
            issuer = url;
            return Map.of("quarkus.oidc.auth-server-url", url, "quarkus.oidc.token.audience", AUDIENCE);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void stop() {
        if (server != null) {
            server.stop(0);
        }
    }

    static RsaJsonWebKey key(String id) {
        try {
            RsaJsonWebKey key = RsaJwkGenerator.generateJwk(2048);
            key.setKeyId(id);
            return key;
        } catch (JoseException e) {
            throw new IllegalStateException(e);
        }
    }

    /** A token of this provider for ten minutes, with a claim unless its value is null. */
    static String token(String claim, @Nullable Object value) {
        return token(KEY, AUDIENCE, 10, claim, value);
    }

    /** A token of this provider for someone else, or for another time; negative minutes have passed. */
    static String tokenFor(String audience, int minutes, String claim, Object value) {
        return token(KEY, audience, minutes, claim, value);
    }

    static String token(RsaJsonWebKey key, String audience, int minutes, String claim, @Nullable Object value) {
        JwtClaims claims = new JwtClaims();
        claims.setIssuer(issuer);
        claims.setAudience(audience);
        claims.setSubject("someone");
        claims.setIssuedAtToNow();
        claims.setExpirationTimeMinutesInTheFuture(minutes);
        if (value != null) {
            claims.setClaim(claim, value);
        }
        JsonWebSignature signature = new JsonWebSignature();
        signature.setPayload(claims.toJson());
        signature.setKey(key.getPrivateKey());
        signature.setKeyIdHeaderValue("provider");
        signature.setAlgorithmHeaderValue(AlgorithmIdentifiers.RSA_USING_SHA256);
        try {
            return signature.getCompactSerialization();
        } catch (JoseException e) {
            throw new IllegalStateException(e);
        }
    }

    private static void serve(HttpServer server, String path, String json) {
        byte[] body = json.getBytes(StandardCharsets.UTF_8);
        server.createContext(path, exchange -> {
            exchange.getResponseHeaders().set("Content-Type", "application/json");
            exchange.sendResponseHeaders(200, body.length);
            exchange.getResponseBody().write(body);
            exchange.close();
        });
    }
}
