package dev.windrow.gather.operate;

import java.util.function.Supplier;

import jakarta.annotation.Priority;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Singleton;
import jakarta.interceptor.Interceptor;

import org.eclipse.microprofile.config.ConfigProvider;

import dev.windrow.aws.AwsErrors;
import dev.windrow.base.InvalidInputException;
import dev.windrow.base.SettingRanges;
import dev.windrow.base.UndeliveredFailures;
import dev.windrow.dataset.Datasets;
import dev.windrow.dataset.DatasetsYaml;
import dev.windrow.dataset.InvalidDatasetsException;
import dev.windrow.gather.fanout.GatherConfig;
import dev.windrow.gather.fanout.ReadConfig;
import dev.windrow.gather.http.ApiConfig;
import dev.windrow.gather.read.GatherException;
import io.quarkus.runtime.Startup;
import io.quarkus.runtime.StartupEvent;
import io.quarkus.runtime.configuration.ConfigurationException;
import io.smallrye.config.SmallRyeConfig;

/** Stops the service at its start if a setting is out of range, or the dataset file invalid. */
@ApplicationScoped
class SettingsCheck {

    /** Runs before anything else. */
    void start(@Observes @Priority(Interceptor.Priority.PLATFORM_BEFORE) StartupEvent event) {
        UndeliveredFailures
                .log(failure -> failure instanceof GatherException known ? known.reason() : AwsErrors.reason(failure));
        check(ConfigProvider.getConfig().unwrap(SmallRyeConfig.class));
    }

    @Produces
    @Singleton
    @Startup
    Datasets datasets(GatherConfig config) {
        return withoutStackTrace(() -> DatasetsYaml.read(config.datasetsFile()));
    }

    static void check(SmallRyeConfig config) {
        withoutStackTrace(() -> {
            SettingRanges.check(config, GatherConfig.class, ApiConfig.class, ReadConfig.class);
            return config;
        });
    }

    /** Rethrows errors of settings as a {@link ConfigurationException}: a stack trace does not help to correct a setting. */
    private static <T> T withoutStackTrace(Supplier<T> settings) {
        try {
            return settings.get();
        } catch (InvalidInputException | InvalidDatasetsException e) {
            throw new ConfigurationException(e.getMessage());
        }
    }
}
