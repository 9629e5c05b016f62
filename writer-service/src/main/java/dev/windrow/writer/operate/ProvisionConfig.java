package dev.windrow.writer.operate;

import java.util.List;
import java.util.Optional;

import io.smallrye.config.ConfigMapping;

/** Settings of the command {@code provision}. */
@ConfigMapping(prefix = "windrow.provision")
public interface ProvisionConfig {

    /**
     * Measures that get an index for leaderboards, besides those that the datasets file, if there is one, declares.
     *
     * @return names of measures, 19 at most
     */
    Optional<List<String>> rankedMeasures();
}
