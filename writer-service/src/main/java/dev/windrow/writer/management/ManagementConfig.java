package dev.windrow.writer.management;

import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;

/** Settings of the operations on the management port. */
@ConfigMapping(prefix = "windrow.writer.management")
public interface ManagementConfig {

    /**
     * Whether the management port serves pause, resume, and listing and replaying dead letters. Health and metrics are
     * served either way. These operations need no credential.
     */
    @WithDefault("false")
    boolean enabled();
}
