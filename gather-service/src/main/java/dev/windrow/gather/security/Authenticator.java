package dev.windrow.gather.security;

import java.util.Locale;
import java.util.Optional;

import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import jakarta.ws.rs.container.ContainerRequestContext;
import jakarta.ws.rs.core.HttpHeaders;

import org.eclipse.microprofile.config.inject.ConfigProperty;
import org.jboss.resteasy.reactive.server.ServerRequestFilter;

import dev.windrow.reason.Reason;
import dev.windrow.reason.ReasonedException;
import io.quarkus.runtime.StartupEvent;
import io.quarkus.security.identity.CurrentIdentityAssociation;
import io.smallrye.mutiny.Uni;

/** Lets only those requests through that carry a valid credential, where one is required. */
@ApplicationScoped
public class Authenticator {

    /** The explanations of problems, which even those without a credential are pointed to. */
    public static final String OPEN = "/api/v1/problems/";

    /** Where a key may stand instead of the header Authorization. */
    public static final String KEY_HEADER = "X-API-Key";

    private static final String BEARER = "bearer ";

    private final Authentication authentication;
    private final ApiKeys keys;
    private final TokenTenants tokens;
    private final Caller caller;
    private final CurrentIdentityAssociation identities;

    Authenticator(AuthenticationConfig config, @ConfigProperty(name = "quarkus.http.host") String host,
            @ConfigProperty(name = "quarkus.oidc.auth-server-url") Optional<String> provider, Caller caller,
            CurrentIdentityAssociation identities) {
        this.authentication = AuthenticationChoice.of(config, host, provider);
        this.keys = AuthenticationChoice.keys(authentication, config);
        this.tokens = AuthenticationChoice.tokens(config);
        this.caller = caller;
        this.identities = identities;
    }

    /** Wrong settings must stop the service at its start, not at the first request. */
    void start(@Observes StartupEvent event) {
    }

    @ServerRequestFilter(preMatching = true)
    Uni<Void> authenticate(ContainerRequestContext request) {
        if (request.getUriInfo().getRequestUri().getPath().startsWith(OPEN)) {
            return Uni.createFrom().voidItem();
        }
        return switch (authentication) {
            case NONE -> Uni.createFrom().voidItem();
            case API_KEY -> Uni.createFrom().item(() -> {
                caller.authenticated(keyTenant(request));
                return null;
            });
            case OIDC -> identities.getDeferredIdentity()
                    .onFailure().transform(failure -> unauthenticated("a valid token"))
                    .invoke(identity -> caller.authenticated(tokens.of(identity)))
                    .replaceWithVoid();
        };
    }

    private String keyTenant(ContainerRequestContext request) {
        return presented(request).flatMap(keys::find).map(ApiKey::tenant)
                .orElseThrow(() -> unauthenticated("'Bearer' and an API key, or the key in the header " + KEY_HEADER));
    }

    private static Optional<String> presented(ContainerRequestContext request) {
        String key = request.getHeaderString(KEY_HEADER);
        if (key != null) {
            return Optional.of(key);
        }
        return Optional.ofNullable(request.getHeaderString(HttpHeaders.AUTHORIZATION))
                .filter(header -> header.toLowerCase(Locale.ROOT).startsWith(BEARER))
                .map(header -> header.substring(BEARER.length()).strip());
    }

    static ReasonedException unauthenticated(String expectation) {
        return new ReasonedException(Reason.UNAUTHENTICATED, HttpHeaders.AUTHORIZATION, "expected " + expectation);
    }
}
