package dev.windrow.writer.lifecycle;

import java.nio.file.Path;
import java.util.Optional;

import dev.windrow.aws.CredentialsHttp;
import dev.windrow.aws.NetworkSettings;
import dev.windrow.reason.InvalidInputException;
import io.quarkus.runtime.configuration.ConfigurationException;
import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;

/** How AWS is reached; proxies come from {@code HTTPS_PROXY}, {@code HTTP_PROXY} and {@code NO_PROXY}. */
@ConfigMapping(prefix = "windrow.aws")
public interface NetworkConfig {

    /**
     * A PEM file with certificate authorities trusted besides those of the platform.
     *
     * @return path of a readable file
     */
    @WithDefault("${AWS_CA_BUNDLE:}")
    Optional<Path> caBundle();

    /**
     * The network of all clients in this process, those of credential providers included.
     *
     * @throws ConfigurationException if a proxy or the file is wrong
     */
    default NetworkSettings settings() {
        try {
            NetworkSettings settings = NetworkSettings.of(System.getenv(), caBundle());
            CredentialsHttp.use(settings);
            return settings;
        } catch (InvalidInputException e) {
            // Without a stack trace: it is the operator's to mend.
            throw new ConfigurationException(e.getMessage());
        }
    }
}
