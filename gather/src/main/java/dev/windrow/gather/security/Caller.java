package dev.windrow.gather.security;

import java.time.Instant;
import java.util.Optional;

import jakarta.enterprise.context.ApplicationScoped;

import org.jspecify.annotations.Nullable;

import dev.windrow.base.InvalidInputException;
import dev.windrow.base.Reason;
import dev.windrow.event.TenantNames;
import io.quarkus.security.UnauthorizedException;
import io.quarkus.security.identity.CurrentIdentityAssociation;
import io.quarkus.security.identity.SecurityIdentity;
import io.smallrye.mutiny.Uni;

/** The client of the current request. */
@ApplicationScoped
public class Caller {

    private final CurrentIdentityAssociation association;
    private final SecurityIdentity identity;
    private final boolean required;

    Caller(CurrentIdentityAssociation association, SecurityIdentity identity, ApiAuthentication authentication) {
        this.association = association;
        this.identity = identity;
        this.required = authentication.isRequired();
    }

    /** Checks the credential before a resource is matched: fails as the resource would without a valid credential. */
    public Uni<Void> admitted() {
        return association.getDeferredIdentity().onItem().transformToUni(found -> required && found.isAnonymous()
                ? Uni.createFrom().failure(new UnauthorizedException())
                : Uni.createFrom().voidItem());
    }

    /** Returns when the credential expires; empty if it does not. */
    public Optional<Instant> expiry() {
        return Optional.ofNullable(identity.getAttribute(ApiAuthentication.EXPIRY));
    }

    /**
     * Returns the tenant whose data the request reads: the credential's, or without authentication the one that it names.
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
            throw new InvalidInputException(Reason.FORBIDDEN, "tenant",
                    "the credential is of another tenant: leave it out, or name the credential's own");
        }
        return own;
    }

}
