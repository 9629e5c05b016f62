package dev.windrow.gather.security;

import java.util.Optional;

import org.eclipse.microprofile.jwt.JsonWebToken;

import dev.windrow.event.TenantNames;
import dev.windrow.reason.InvalidInputException;
import dev.windrow.reason.Reason;
import io.quarkus.security.identity.SecurityIdentity;

/**
 * Finds the tenant of a valid token.
 *
 * @param fixed the tenant of all tokens, or empty
 * @param claim the claim that names it otherwise
 */
record TokenTenants(Optional<String> fixed, String claim) {

    /** @throws InvalidInputException with {@link Reason#FORBIDDEN} */
    String of(SecurityIdentity identity) {
        if (fixed.isPresent()) {
            return fixed.get();
        }
        Object value = identity.getPrincipal() instanceof JsonWebToken token ? token.getClaim(claim) : null;
        String tenant = value == null ? "" : value.toString();
        if (!TenantNames.isValid(tenant)) {
            throw new InvalidInputException(Reason.FORBIDDEN, claim, "expected a claim of the token with the tenant: "
                    + TenantNames.EXPECTED);
        }
        return tenant;
    }
}
