package dev.windrow.gather.fanout;

import java.nio.file.Path;
import java.util.Optional;

import org.eclipse.microprofile.config.Config;
import org.eclipse.microprofile.config.ConfigProvider;

import dev.windrow.aws.NetworkSettings;
import dev.windrow.base.InvalidInputException;
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

    /** @throws ConfigurationException if a proxy or the file is wrong */
    default NetworkSettings settings() {
        // The configuration includes the environment's variables by name.
        Config config = ConfigProvider.getConfig();
        try {
            return NetworkSettings.ofProcess(name -> config.getOptionalValue(name, String.class), caBundle());
        } catch (InvalidInputException e) {
            // Without a stack trace: the operator corrects the setting.
            throw new ConfigurationException(e.getMessage());
        }
    }
}
