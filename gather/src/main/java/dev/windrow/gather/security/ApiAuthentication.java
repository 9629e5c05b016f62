package dev.windrow.gather.security;

import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;

import jakarta.annotation.Priority;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import jakarta.enterprise.inject.Alternative;
import jakarta.ws.rs.core.HttpHeaders;

import org.eclipse.microprofile.config.inject.ConfigProperty;

import dev.windrow.base.InvalidInputException;
import dev.windrow.base.Reason;
import dev.windrow.event.TenantNames;
import io.quarkus.oidc.runtime.OidcAuthenticationMechanism;
import io.quarkus.runtime.StartupEvent;
import io.quarkus.security.identity.IdentityProviderManager;
import io.quarkus.security.identity.SecurityIdentity;
import io.quarkus.security.runtime.QuarkusPrincipal;
import io.quarkus.security.runtime.QuarkusSecurityIdentity;
import io.quarkus.vertx.http.runtime.security.ChallengeData;
import io.quarkus.vertx.http.runtime.security.HttpAuthenticationMechanism;
import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;
import io.smallrye.mutiny.Uni;
import io.vertx.ext.web.RoutingContext;

/**
 * Authenticates requests. The matched resource decides whether a credential is required, never the text of a path: every
 * resource requires one unless it is annotated otherwise ({@code quarkus.security.jaxrs.default-roles-allowed}).
 */
@Alternative
@Priority(1)
@ApplicationScoped
public class ApiAuthentication implements HttpAuthenticationMechanism {

    /** The header for a key, instead of Authorization. */
    public static final String KEY_HEADER = "X-API-Key";

    /** The attribute of an identity that names its tenant. */
    static final String TENANT = "windrow.tenant";

    /** The attribute of an identity with the {@link Instant} at which its credential expires, if it does. */
    static final String EXPIRY = "windrow.expiry";

    private static final String TYPE = "windrow.gather.authentication.type";
    private static final Set<String> LOOPBACK = Set.of("127.0.0.1", "localhost", "::1", "[::1]", "0:0:0:0:0:0:0:1");
    private static final String BEARER = "bearer ";

    /** The identity of all clients if no credential is required. */
    private static final SecurityIdentity ANYONE = QuarkusSecurityIdentity.builder()
            .setPrincipal(new QuarkusPrincipal("anyone")).build();

    private final Authentication authentication;
    private final ApiKeys keys;
    private final TokenClaims tokens;
    private final OidcAuthenticationMechanism oidc;

    ApiAuthentication(AuthenticationConfig config, @ConfigProperty(name = "quarkus.http.host") String host,
            @ConfigProperty(name = "quarkus.oidc.auth-server-url") Optional<String> provider,
            @ConfigProperty(name = "quarkus.oidc.token.lifespan-grace") OptionalInt graceSeconds,
            OidcAuthenticationMechanism oidc) {
        this.authentication = choice(config, host, provider);
        this.keys = keys(authentication, config);
        this.tokens = tokens(config, Duration.ofSeconds(graceSeconds.orElse(0)));
        this.oidc = oidc;
    }

    /**
     * Returns how clients authenticate.
     *
     * @param host the address the API listens on
     * @param provider the OpenID Connect provider, if one is set
     * @throws InvalidInputException with {@link Reason#INVALID_SETTING}
     */
    static Authentication choice(AuthenticationConfig config, String host, Optional<String> provider) {
        if (config.type().isEmpty() && !LOOPBACK.contains(host)) {
            // A missing setting must not expose data.
            throw invalid(TYPE, "set it to none, api-key or oidc, because others can reach " + host);
        }
        Authentication chosen = config.type().orElse(Authentication.NONE);
        if (chosen == Authentication.OIDC && provider.isEmpty()) {
            throw invalid("quarkus.oidc.auth-server-url", "set it to the provider's URL, because " + TYPE + " is oidc");
        }
        return chosen;
    }

    /** Returns the accepted keys; none unless clients authenticate with keys. */
    static ApiKeys keys(Authentication chosen, AuthenticationConfig config) {
        if (chosen != Authentication.API_KEY) {
            return new ApiKeys(List.of());
        }
        return ApiKeys.read(config.apiKeysFile().orElseThrow(() -> invalid("windrow.gather.authentication.api-keys-file",
                "set it to a file, because " + TYPE + " is api-key")));
    }

    /**
     * Returns how to read tokens.
     *
     * @param grace how long a token is accepted after its expiry
     */
    static TokenClaims tokens(AuthenticationConfig config, Duration grace) {
        if (config.tenant().isPresent() && !TenantNames.isValid(config.tenant().get())) {
            throw invalid("windrow.gather.authentication.tenant", "expected " + TenantNames.EXPECTED);
        }
        return new TokenClaims(config.tenant(), config.tenantClaim(), grace);
    }

    private static InvalidInputException invalid(String property, String expectation) {
        return new InvalidInputException(Reason.INVALID_SETTING, property, expectation);
    }

    /** Creates this bean at startup, so that wrong settings stop the service there and not at the first request. */
    void start(@Observes StartupEvent event) {
    }

    public boolean isRequired() {
        return authentication != Authentication.NONE;
    }

    @Override
    public Uni<SecurityIdentity> authenticate(RoutingContext request, IdentityProviderManager identities) {
        return switch (authentication) {
            case NONE -> Uni.createFrom().item(ANYONE);
            case API_KEY -> Uni.createFrom().item(() -> ofKey(request));
            case OIDC -> oidc.authenticate(request, identities)
                    .onItem().ifNotNull().transform(token -> bound(token, tokens.tenant(token), tokens.expiry(token)));
        };
    }

    private SecurityIdentity ofKey(RoutingContext request) {
        ApiKey key = presented(request).flatMap(keys::find)
                .orElseThrow(() -> new InvalidInputException(Reason.UNAUTHENTICATED, HttpHeaders.AUTHORIZATION,
                        "expected 'Bearer' and an API key, or the key in the header " + KEY_HEADER));
        return bound(QuarkusSecurityIdentity.builder().setPrincipal(new QuarkusPrincipal(key.client())).build(), key.tenant(),
                Optional.empty());
    }

    private static SecurityIdentity bound(SecurityIdentity identity, String tenant, Optional<Instant> expiry) {
        QuarkusSecurityIdentity.Builder bound = QuarkusSecurityIdentity.builder(identity).addAttribute(TENANT, tenant);
        expiry.ifPresent(end -> bound.addAttribute(EXPIRY, end));
        return bound.build();
    }

    private static Optional<String> presented(RoutingContext request) {
        return Optional.ofNullable(request.request().getHeader(KEY_HEADER))
                .or(() -> Optional.ofNullable(request.request().getHeader(HttpHeaders.AUTHORIZATION))
                        .filter(header -> header.toLowerCase(Locale.ROOT).startsWith(BEARER))
                        .map(header -> header.substring(BEARER.length()).strip()));
    }

    @Override
    public Uni<ChallengeData> getChallenge(RoutingContext request) {
        return Uni.createFrom().item(new ChallengeData(401, HttpHeaders.WWW_AUTHENTICATE, "Bearer"));
    }

    /** How clients authenticate. */
    @ConfigMapping(prefix = "windrow.gather.authentication")
    public interface AuthenticationConfig {

        /**
         * How clients authenticate. It may be absent only while the service listens on loopback, where it means {@code none}.
         */
        Optional<Authentication> type();

        /**
         * The file of hashed API keys. Required by {@code api-key}.
         *
         * @return path of a readable file
         */
        Optional<Path> apiKeysFile();

        /**
         * The claim of a token that names the tenant.
         *
         * @return name of a claim
         */
        @WithDefault("tenant")
        String tenantClaim();

        /**
         * The tenant of every valid token, instead of the claim: for providers that serve one tenant only.
         *
         * @return 1 to 64 letters, digits, {@code .}, {@code _} or {@code -}, beginning with a letter or digit
         */
        Optional<String> tenant();
    }
}
