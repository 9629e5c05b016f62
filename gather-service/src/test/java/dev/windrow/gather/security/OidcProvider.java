package dev.windrow.gather.security;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.Arrays;
import java.util.Base64;
import java.util.Map;
import java.util.stream.Collectors;

import org.jose4j.jwk.RsaJsonWebKey;
import org.jose4j.jwk.RsaJwkGenerator;
import org.jose4j.jws.AlgorithmIdentifiers;
import org.jose4j.jws.JsonWebSignature;
import org.jose4j.jwt.JwtClaims;
import org.jose4j.jwt.NumericDate;
import org.jose4j.lang.JoseException;
import org.jspecify.annotations.Nullable;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;

import io.quarkus.test.common.QuarkusTestResourceLifecycleManager;

/**
 * The public parts of an OpenID Connect provider: discovery and keys for a service that checks tokens, and the authorization
 * code flow with PKCE for a page, with a user who is already signed in.
 */
public class OidcProvider implements QuarkusTestResourceLifecycleManager {

    static final String AUDIENCE = "windrow";
    static final String PAGE = "windrow-page";
    /** Whether users are sent back without a code. */
    static volatile boolean denied;

    static final RsaJsonWebKey KEY = key("provider");
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
            started.createContext("/authorize", OidcProvider::authorize);
            started.createContext("/token", OidcProvider::exchange);
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

    /** A token of this provider, valid for ten minutes, with a claim unless its value is null. */
    static String token(String claim, @Nullable Object value) {
        return token(KEY, AUDIENCE, Duration.ofMinutes(10), claim, value);
    }

    /** @param left time until it expires; negative if it has expired */
    static String token(RsaJsonWebKey key, String audience, Duration left, String claim, @Nullable Object value) {
        NumericDate end = NumericDate.now();
        end.addSeconds(left.toSeconds());
        JwtClaims claims = new JwtClaims();
        claims.setIssuer(issuer);
        claims.setAudience(audience);
        claims.setSubject("someone");
        claims.setIssuedAtToNow();
        claims.setExpirationTime(end);
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

    /** Redirects the browser at once with a code, which is the challenge, or with an error. */
    private static void authorize(HttpExchange exchange) throws IOException {
        Map<String, String> asked = form(exchange.getRequestURI().getRawQuery());
        boolean valid = asked.get("response_type").equals("code") && asked.get("client_id").equals(PAGE)
                && asked.get("code_challenge_method").equals("S256") && asked.get("scope").equals("openid");
        String answer = valid && !denied
                ? "code=" + asked.get("code_challenge")
                : "error=access_denied&error_description=not+today";
        exchange.getResponseHeaders().set("Location",
                asked.get("redirect_uri") + "?" + answer + "&state=" + asked.get("state"));
        exchange.sendResponseHeaders(302, -1);
        exchange.close();
    }

    /** Returns a token to a client that knows the verifier of the challenge. */
    private static void exchange(HttpExchange exchange) throws IOException {
        Map<String, String> asked = form(new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8));
        String challenge = Base64.getUrlEncoder().withoutPadding().encodeToString(sha256(asked.get("code_verifier")));
        boolean valid = asked.get("grant_type").equals("authorization_code") && asked.get("client_id").equals(PAGE)
                && asked.get("code").equals(challenge);
        send(exchange, valid ? 200 : 400, valid
                ? "{\"token_type\":\"Bearer\",\"access_token\":\"" + token("organization", "acme") + "\"}"
                : "{\"error\":\"invalid_grant\"}");
    }

    private static Map<String, String> form(String text) {
        return Arrays.stream(text.split("&", -1)).map(pair -> pair.split("=", 2))
                .collect(Collectors.toMap(pair -> pair[0], pair -> URLDecoder.decode(pair[1], StandardCharsets.UTF_8)));
    }

    private static byte[] sha256(String text) {
        try {
            return MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.US_ASCII));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }

    private static void serve(HttpServer server, String path, String json) {
        server.createContext(path, exchange -> send(exchange, 200, json));
    }

    private static void send(HttpExchange exchange, int status, String json) throws IOException {
        byte[] body = json.getBytes(StandardCharsets.UTF_8);
        exchange.getResponseHeaders().set("Content-Type", "application/json");
        exchange.getResponseHeaders().set("Access-Control-Allow-Origin", "*");
        exchange.sendResponseHeaders(status, body.length);
        exchange.getResponseBody().write(body);
        exchange.close();
    }
}
