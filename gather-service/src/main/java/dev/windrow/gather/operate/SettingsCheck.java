package dev.windrow.gather.operate;

import jakarta.annotation.Priority;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import jakarta.interceptor.Interceptor;

import org.eclipse.microprofile.config.ConfigProvider;

import dev.windrow.aws.AwsErrors;
import dev.windrow.base.InvalidInputException;
import dev.windrow.base.SettingRanges;
import dev.windrow.base.UndeliveredFailures;
import dev.windrow.gather.http.ApiConfig;
import dev.windrow.gather.read.GatherException;
import dev.windrow.gather.read.ReadConfig;
import dev.windrow.gather.read.ReadConfig.TableConfig;
import io.quarkus.runtime.StartupEvent;
import io.quarkus.runtime.configuration.ConfigurationException;
import io.smallrye.config.SmallRyeConfig;

/** Stops the service at its start if a setting is out of range. */
@ApplicationScoped
class SettingsCheck {

    /** Runs before anything else. */
    void start(@Observes @Priority(Interceptor.Priority.PLATFORM_BEFORE) StartupEvent event) {
        UndeliveredFailures
                .log(failure -> failure instanceof GatherException known ? known.reason() : AwsErrors.reason(failure));
        check(ConfigProvider.getConfig().unwrap(SmallRyeConfig.class));
    }

    static void check(SmallRyeConfig config) {
        try {
            SettingRanges.check(config, TableConfig.class, ApiConfig.class, ReadConfig.class);
        } catch (InvalidInputException e) {
            // Without a stack trace: the operator corrects the setting.
            throw new ConfigurationException(e.getMessage());
        }
    }
}
