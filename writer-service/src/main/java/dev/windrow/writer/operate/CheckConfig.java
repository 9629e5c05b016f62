package dev.windrow.writer.operate;

import java.time.Duration;
import java.util.Optional;

import dev.windrow.base.SettingRange;
import io.quarkus.runtime.annotations.RegisterForReflection;
import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;

/** Settings of the command {@code check}. */
@RegisterForReflection
@ConfigMapping(prefix = "windrow.check")
public interface CheckConfig {

    /**
     * The dataset to check with, which must have a label. If absent, the first one in the datasets file that has one.
     *
     * @return name of a dataset
     */
    Optional<String> dataset();

    /**
     * Address of the gatherer.
     *
     * @return URL, such as `http://localhost:8080`; the check needs it
     */
    Optional<String> gather();

    /**
     * The gatherer's API key, if it requires one.
     *
     * @return API key
     */
    Optional<String> apiKey();

    /** How long the check waits for its events to be in the gatherer's answer. */
    @SettingRange(above = "0s")
    @WithDefault("1m")
    Duration timeout();
}
