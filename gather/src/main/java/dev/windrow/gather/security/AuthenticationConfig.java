package dev.windrow.gather.security;

import java.nio.file.Path;
import java.util.Optional;

import dev.windrow.gather.security.ApiAuthentication.Authentication;
import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;

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
