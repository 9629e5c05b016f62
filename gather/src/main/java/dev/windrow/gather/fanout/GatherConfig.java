package dev.windrow.gather.fanout;

import java.nio.file.Path;
import java.util.Optional;

import org.eclipse.microprofile.config.Config;
import org.eclipse.microprofile.config.ConfigProvider;

import dev.windrow.aws.NetworkSettings;
import dev.windrow.base.InvalidInputException;
import dev.windrow.base.SettingRange;
import io.quarkus.runtime.annotations.RegisterForReflection;
import io.quarkus.runtime.configuration.ConfigurationException;
import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;
import io.smallrye.config.WithName;

/** Settings of the service as a whole. */
@RegisterForReflection
@ConfigMapping(prefix = "windrow")
public interface GatherConfig {

    /**
     * The YAML file that declares the datasets. Writer and gatherer read the same one.
     *
     * @return path of a readable file
     */
    Path datasetsFile();

    /** Name of the DynamoDB table. */
    @SettingRange(unit = "3 to 255 letters, digits, '_', '-' or '.'", pattern = "[a-zA-Z0-9_.-]{3,255}")
    @WithDefault("windrow")
    String table();

    /**
     * A PEM file with certificate authorities trusted besides those of the platform.
     *
     * @return path of a readable file
     */
    @WithDefault("${AWS_CA_BUNDLE:}")
    @WithName("aws.ca-bundle")
    Optional<Path> caBundle();

    /**
     * How AWS is reached; proxies come from {@code HTTPS_PROXY}, {@code HTTP_PROXY} and {@code NO_PROXY}.
     *
     * @throws ConfigurationException if a proxy or the file is wrong
     */
    default NetworkSettings network() {
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
