package dev.windrow.gather.api;

import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Singleton;

import dev.windrow.dataset.Datasets;
import dev.windrow.dataset.yaml.DatasetsYaml;
import io.quarkus.runtime.Startup;

/** Reads the dataset file when the service starts; a wrong one stops it. */
@ApplicationScoped
class DatasetsBean {

    @Produces
    @Singleton
    @Startup
    Datasets datasets(DatasetsConfig config) {
        return DatasetsYaml.read(config.datasetsFile());
    }
}
