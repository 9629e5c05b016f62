package dev.windrow.gather.read;

import java.nio.file.Path;
import java.time.Duration;
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

/** Limits of the fan-out. */
@RegisterForReflection
@ConfigMapping(prefix = "windrow.gather.fanout")
public interface ReadConfig {

    /**
     * Maximum number of reads in flight in all, hedged reads excepted; fewer while answers take half a second or longer.
     * More wait, and the queries that they are of take turns; one query has 128 at most. For hedged reads, each event loop may
     * open an eighth more connections than this, but at least 8 more.
     */
    @SettingRange(unit = "reads", min = "1")
    @WithDefault("512")
    int maxReads();

    /**
     * Maximum number of queries running at a time. A few wide ones keep all reads busy; more only hold more pages in memory,
     * which the garbage collector copies again and again.
     */
    @SettingRange(unit = "queries", min = "1")
    @WithDefault("16")
    int maxQueries();

    /** Maximum number of queries waiting for their turn. Beyond that, requests are rejected with 503. */
    @SettingRange(unit = "queries", min = "0")
    @WithDefault("112")
    int maxQueuedQueries();

    /**
     * A range is closed once it ended this long ago: its pages are cached here, and its responses may be cached by clients.
     * Later events show when those expire.
     */
    @SettingRange(min = "0s", advice = "longer than events are usually late")
    @WithDefault("1h")
    Duration closedAfter();

    /** Whether slow shards are read again, up to twice. */
    @WithDefault("true")
    @WithName("hedging.enabled")
    boolean hedging();

    /**
     * A Redis that gatherers share as a second level of the cache of closed ranges, whose first one is Quarkus'
     * {@code closed-pages}.
     *
     * @return URL such as {@code redis://host:6379}
     */
    @WithName("cache.redis")
    Optional<String> redis();

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
}
