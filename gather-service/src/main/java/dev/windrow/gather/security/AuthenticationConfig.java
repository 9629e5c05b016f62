package dev.windrow.gather.security;

import java.nio.file.Path;
import java.util.Optional;

import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;

/** How the API knows its clients. */
@ConfigMapping(prefix = "windrow.gather.authentication")
public interface AuthenticationConfig {

    /**
     * {@code none}, {@code api-key} or {@code oidc}. May be absent only while the service listens on loopback, where it
     * means {@code none}.
     */
    Optional<Authentication> type();

    /** The file of hashed keys; required by {@code api-key}. */
    Optional<Path> apiKeysFile();

    /** The claim of a token that names the tenant. */
    @WithDefault("tenant")
    String tenantClaim();

    /** The tenant of every valid token, instead of the claim: for providers that serve one tenant only. */
    Optional<String> tenant();
}
