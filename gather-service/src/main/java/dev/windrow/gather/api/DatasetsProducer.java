package dev.windrow.gather.api;

import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Singleton;

import dev.windrow.dataset.Datasets;
import dev.windrow.dataset.Datasets.InvalidDatasetsException;
import dev.windrow.dataset.DatasetsYaml;
import io.quarkus.runtime.Startup;
import io.quarkus.runtime.configuration.ConfigurationException;

/** Reads the dataset file when the service starts; a wrong one stops it. */
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
}
