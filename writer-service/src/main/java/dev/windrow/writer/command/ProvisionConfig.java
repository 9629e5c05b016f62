package dev.windrow.writer.command;

import java.util.List;
import java.util.Optional;

import io.smallrye.config.ConfigMapping;

/** Settings of the command {@code provision}. */
@ConfigMapping(prefix = "windrow.provision")
public interface ProvisionConfig {

    /**
     * Measures of leaderboards, each of which gets an index, besides those that the datasets file declares, if there is one.
     *
     * @return names of measures, 19 at most
     */
    Optional<List<String>> rankedMeasures();
}
