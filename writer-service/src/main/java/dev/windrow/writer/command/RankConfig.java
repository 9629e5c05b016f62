package dev.windrow.writer.command;

import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;

/** Settings of the command {@code rank}. */
@ConfigMapping(prefix = "windrow.rank")
public interface RankConfig {

    /**
     * Read and write units that completing leaderboards may consume, on average.
     *
     * @return units per second, more than 0
     */
    @WithDefault("200")
    double maxUnits();
}
