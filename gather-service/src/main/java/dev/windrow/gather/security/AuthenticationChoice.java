package dev.windrow.gather.security;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;

import dev.windrow.base.InvalidInputException;
import dev.windrow.base.Reason;
import dev.windrow.dataset.TenantNames;

/** The authentication that the settings choose. */
final class AuthenticationChoice {

    private static final String TYPE = "windrow.gather.authentication.type";
    private static final Set<String> LOOPBACK = Set.of("127.0.0.1", "localhost", "::1", "[::1]", "0:0:0:0:0:0:0:1");

    private AuthenticationChoice() {
    }

    /**
     * How clients authenticate.
     *
     * @param host the address the API listens on
     * @param provider the OpenID Connect provider, if one is set
     * @throws InvalidInputException with {@link Reason#INVALID_SETTING}
     */
    static Authentication of(AuthenticationConfig config, String host, Optional<String> provider) {
        if (config.type().isEmpty() && !LOOPBACK.contains(host)) {
            // A missing setting must not expose data.
            throw invalid(TYPE, "expected none, api-key or oidc, as others can reach " + host);
        }
        Authentication chosen = config.type().orElse(Authentication.NONE);
        if (chosen == Authentication.OIDC && provider.isEmpty()) {
            throw invalid("quarkus.oidc.auth-server-url", "expected the provider's URL, as " + TYPE + " is oidc");
        }
        return chosen;
    }

    /** The accepted keys; none unless clients authenticate with keys. */
    static ApiKeys keys(Authentication chosen, AuthenticationConfig config) {
        if (chosen != Authentication.API_KEY) {
            return new ApiKeys(List.of());
        }
        return ApiKeysFile.read(config.apiKeysFile().orElseThrow(
                () -> invalid("windrow.gather.authentication.api-keys-file", "expected a file, as " + TYPE + " is api-key")));
    }

    /**
     * What follows from a token.
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
}
