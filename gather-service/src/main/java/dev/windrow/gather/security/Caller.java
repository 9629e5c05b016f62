package dev.windrow.gather.security;

import java.time.Instant;
import java.util.Optional;

import jakarta.enterprise.context.ApplicationScoped;

import org.jspecify.annotations.Nullable;

import dev.windrow.event.TenantNames;
import dev.windrow.reason.InvalidInputException;
import dev.windrow.reason.Reason;
import io.quarkus.security.identity.SecurityIdentity;

/** The client of the current request. */
@ApplicationScoped
public class Caller {

    private final SecurityIdentity identity;

    /** @param identity of the current request */
    Caller(SecurityIdentity identity) {
        this.identity = identity;
    }

    /** When the credential expires; empty if it does not. */
    public Optional<Instant> expiry() {
        return Optional.ofNullable(identity.getAttribute(ApiAuthentication.EXPIRY));
    }

    /**
     * Whose data the request reads: the credential's tenant. Without authentication, the tenant it names.
     *
     * @param named the tenant that the request names, if it does
     * @throws InvalidInputException with {@link Reason#FORBIDDEN} if it names a tenant other than the credential's, or with
     *         {@link Reason#INVALID_TENANT}
     */
    public String tenant(Optional<String> named) {
        if (named.isPresent() && !TenantNames.isValid(named.get())) {
            throw new InvalidInputException(Reason.INVALID_TENANT, "tenant", "expected " + TenantNames.EXPECTED);
        }
        @Nullable
        String own = identity.getAttribute(ApiAuthentication.TENANT);
        if (own == null) {
            return named.orElse(TenantNames.DEFAULT);
        }
        if (named.isPresent() && !named.get().equals(own)) {
            throw new InvalidInputException(Reason.FORBIDDEN, "tenant", "expected none, or the tenant of the credential");
        }
        return own;
    }
}
