package dev.windrow.writer.management;

import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;

/** Settings of the operations on the management port. */
@ConfigMapping(prefix = "windrow.writer.management")
public interface ManagementConfig {

    /** Whether there are operations; health and metrics are there either way. */
    @WithDefault("false")
    boolean enabled();
}
