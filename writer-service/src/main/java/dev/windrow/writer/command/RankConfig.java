package dev.windrow.writer.command;

import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;

/** Settings of the command {@code rank}. */
@ConfigMapping(prefix = "windrow.rank")
public interface RankConfig {

    /**
     * Maximum rate, on average, at which completing leaderboards consumes read and write units.
     *
     * @return units per second, more than 0
     */
    @WithDefault("200")
    double maxUnits();
}
