package dev.windrow.gather.api;

import java.nio.file.Path;

import io.smallrye.config.ConfigMapping;

/** Where the dataset declarations are. */
@ConfigMapping(prefix = "windrow")
public interface DatasetsConfig {

    /**
     * The YAML file that declares the datasets. Writer and gatherer read the same one.
     *
     * @return path of a readable file
     */
    Path datasetsFile();
}
