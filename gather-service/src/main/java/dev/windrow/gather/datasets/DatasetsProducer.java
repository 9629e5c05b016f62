package dev.windrow.gather.datasets;

import java.nio.file.Path;

import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Singleton;

import dev.windrow.dataset.Datasets;
import dev.windrow.dataset.Datasets.InvalidDatasetsException;
import dev.windrow.dataset.DatasetsYaml;
import io.quarkus.runtime.Startup;
import io.quarkus.runtime.configuration.ConfigurationException;
import io.smallrye.config.ConfigMapping;

/** Reads the dataset file when the service starts; an invalid one stops it. */
@ApplicationScoped
class DatasetsProducer {

    @Produces
    @Singleton
    @Startup
    Datasets datasets(DatasetsConfig config) {
        try {
            return DatasetsYaml.read(config.datasetsFile());
        } catch (InvalidDatasetsException e) {
            // Without a stack trace: the operator corrects the file.
            throw new ConfigurationException(e.getMessage());
        }
    }

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
}
