package dev.windrow.writer.lifecycle;

import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

import org.eclipse.microprofile.config.Config;
import org.eclipse.microprofile.config.ConfigProvider;

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
            NetworkSettings settings = NetworkSettings.of(proxyVariables(), caBundle());
            CredentialsHttp.use(settings);
            return settings;
        } catch (InvalidInputException e) {
            // Without a stack trace: it is the operator's to mend.
            throw new ConfigurationException(e.getMessage());
        }
    }

    /** Through the configuration, where variables of the environment are found by their names. */
    private static Map<String, String> proxyVariables() {
        Config config = ConfigProvider.getConfig();
        Map<String, String> variables = new HashMap<>();
        NetworkSettings.VARIABLES.forEach(name -> config.getOptionalValue(name, String.class)
                .ifPresent(value -> variables.put(name, value)));
        return variables;
    }
}
