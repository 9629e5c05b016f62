package dev.windrow.gather.api;

import java.nio.file.Path;

import io.smallrye.config.ConfigMapping;

/** Where the dataset declarations are. */
@ConfigMapping(prefix = "windrow")
public interface DatasetsConfig {

    /** The YAML file that writer and gatherer share. */
    Path datasetsFile();
}
