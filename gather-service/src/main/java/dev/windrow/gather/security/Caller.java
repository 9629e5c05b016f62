package dev.windrow.gather.security;

import java.util.Optional;

import jakarta.enterprise.context.RequestScoped;

import org.jspecify.annotations.Nullable;

import dev.windrow.event.Tenants;
import dev.windrow.reason.Reason;
import dev.windrow.reason.ReasonedException;

/** Who sent this request. */
@RequestScoped
public class Caller {

    private @Nullable String tenant;

    /** Binds the request to the tenant that the credential stands for. */
    void authenticated(String credentialsTenant) {
        tenant = credentialsTenant;
    }

    /**
     * Whose data the request reads: the credential's tenant. Without authentication, the tenant it names.
     *
     * @param named the tenant that the request names, if it does
     * @throws ReasonedException with {@link Reason#FORBIDDEN} if it names another one than its own, or with
     *         {@link Reason#INVALID_TENANT}
     */
    public String tenant(Optional<String> named) {
        if (named.isPresent() && !Tenants.isValid(named.get())) {
            throw new ReasonedException(Reason.INVALID_TENANT, "tenant", "expected " + Tenants.EXPECTED);
        }
        if (tenant == null) {
            return named.orElse(Tenants.DEFAULT);
        }
        if (named.isPresent() && !named.get().equals(tenant)) {
            throw new ReasonedException(Reason.FORBIDDEN, "tenant", "expected none, or the tenant of the credential");
        }
        return tenant;
    }
}
