package dev.windrow.gather.security;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

import org.junit.jupiter.api.Test;

import dev.windrow.gather.security.Caller.TokenClaims;
import io.quarkus.oidc.TokenIntrospection;
import io.quarkus.oidc.runtime.OidcUtils;
import io.quarkus.security.identity.SecurityIdentity;
import io.quarkus.security.runtime.QuarkusPrincipal;
import io.quarkus.security.runtime.QuarkusSecurityIdentity;

/** Opaque tokens, of which only the provider's introspection is known; JSON Web Tokens are tested with a provider. */
class TokenClaimsTest {

    private final TokenClaims claims = new TokenClaims(Optional.of("acme"), "tenant", Duration.ofSeconds(5));

    @Test
    void anOpaqueTokenIsAcceptedUntilItsExpiryAndTheGraceTime() {
        assertThat(claims.expiry(introspected("{\"active\":true,\"exp\":1000}"))).hasValue(Instant.ofEpochSecond(1_005));
    }

    @Test
    void theProviderMayNotSayWhenATokenExpires() {
        assertThat(claims.expiry(introspected("{\"active\":true}"))).isEmpty();
        assertThat(claims.expiry(QuarkusSecurityIdentity.builder().setPrincipal(new QuarkusPrincipal("someone")).build()))
                .isEmpty();
    }

    private static SecurityIdentity introspected(String json) {
        return QuarkusSecurityIdentity.builder().setPrincipal(new QuarkusPrincipal("someone"))
                .addAttribute(OidcUtils.INTROSPECTION_ATTRIBUTE, new TokenIntrospection(json)).build();
    }
}
