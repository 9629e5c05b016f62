package dev.windrow.gather.security;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

import org.eclipse.microprofile.jwt.JsonWebToken;
import org.jspecify.annotations.Nullable;

import dev.windrow.base.InvalidInputException;
import dev.windrow.base.Reason;
import dev.windrow.event.TenantNames;
import io.quarkus.oidc.TokenIntrospection;
import io.quarkus.oidc.runtime.OidcUtils;
import io.quarkus.security.identity.SecurityIdentity;

/**
 * Reads the tenant and the expiry of a valid token.
 *
 * @param fixed the tenant of all tokens, or empty
 * @param claim the claim that otherwise names the tenant
 * @param grace how long a token is accepted after its expiry
 */
record TokenClaims(Optional<String> fixed, String claim, Duration grace) {

    /** @throws InvalidInputException with {@link Reason#FORBIDDEN} */
    String tenant(SecurityIdentity identity) {
        if (fixed.isPresent()) {
            return fixed.get();
        }
        Object value = identity.getPrincipal() instanceof JsonWebToken token ? token.getClaim(claim) : null;
        String tenant = value == null ? "" : value.toString();
        if (!TenantNames.isValid(tenant)) {
            throw new InvalidInputException(Reason.FORBIDDEN, claim, "the token needs this claim with the tenant: "
                    + TenantNames.EXPECTED);
        }
        return tenant;
    }

    /** Returns until when the token is accepted; empty if unknown. */
    Optional<Instant> expiry(SecurityIdentity identity) {
        @Nullable
        Long seconds = identity.getAttribute(OidcUtils.INTROSPECTION_ATTRIBUTE) instanceof TokenIntrospection opaque
                ? opaque.getLong("exp")
                : identity.getPrincipal() instanceof JsonWebToken token ? token.getExpirationTime() : null;
        return Optional.ofNullable(seconds).filter(known -> known > 0).map(Instant::ofEpochSecond)
                .map(end -> end.plus(grace));
    }
}
