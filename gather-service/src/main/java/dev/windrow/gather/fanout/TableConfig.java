package dev.windrow.gather.fanout;

import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;

/** Which table is read. */
@ConfigMapping(prefix = "windrow")
public interface TableConfig {

    /**
     * Name of the DynamoDB table.
     *
     * @return 3 to 255 letters, digits, {@code _}, {@code -} or {@code .}
     */
    @WithDefault("windrow")
    String table();
}
