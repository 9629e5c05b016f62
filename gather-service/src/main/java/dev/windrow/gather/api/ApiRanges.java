package dev.windrow.gather.api;

import java.time.Duration;
import java.util.List;
import java.util.regex.Pattern;

import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;

import dev.windrow.base.InvalidInputException;
import dev.windrow.base.Reason;
import dev.windrow.base.SettingRange;
import io.quarkus.runtime.StartupEvent;
import io.quarkus.runtime.configuration.ConfigurationException;

/** The documented ranges of the API's settings, checked at start. */
@ApplicationScoped
public class ApiRanges {

    private static final String PREFIX = "windrow.gather.api.";
    private static final Pattern HOST = Pattern.compile("(\\*\\.)?[A-Za-z0-9_-]+(\\.[A-Za-z0-9_-]+)*");

    private final ApiConfig config;

    ApiRanges(ApiConfig config) {
        this.config = config;
    }

    void start(@Observes StartupEvent event) {
        try {
            check();
        } catch (InvalidInputException e) {
            // Without a stack trace: the operator corrects the setting.
            throw new ConfigurationException(e.getMessage());
        }
    }

    /** @throws InvalidInputException naming the key, its range and the value that is outside of it */
    void check() {
        SettingRange.atLeast(PREFIX + "max-limit", config.maxLimit(), 1);
        SettingRange.atLeast(PREFIX + "default-limit", config.defaultLimit(), 1);
        SettingRange.atMost(PREFIX + "default-limit", config.defaultLimit(), config.maxLimit(), PREFIX + "max-limit");
        SettingRange.atLeast(PREFIX + "max-points", config.maxPoints(), 1);
        SettingRange.atLeast(PREFIX + "max-top", config.maxTop(), 1);
        SettingRange.atLeast(PREFIX + "max-labels", config.maxLabels(), 1);
        checkAge("closed-max-age", config.closedMaxAge());
        checkAge("open-max-age", config.openMaxAge());
        SettingRange.positive(PREFIX + "max-timeout", config.maxTimeout());
        SettingRange.positive(PREFIX + "default-timeout", config.defaultTimeout());
        SettingRange.atMost(PREFIX + "default-timeout", config.defaultTimeout(), config.maxTimeout(), PREFIX + "max-timeout");
        config.allowedHosts().orElse(List.of()).forEach(ApiRanges::checkHost);
        checkLive(config.live());
        SettingRange.atLeast(PREFIX + "prometheus.max-samples", config.prometheus().maxSamples(), 1);
    }

    private static void checkAge(String name, Duration age) {
        SettingRange.atLeast(PREFIX + name, age, Duration.ZERO);
        SettingRange.wholeSeconds(PREFIX + name, age);
    }

    private static void checkHost(String host) {
        if (!HOST.matcher(host).matches()) {
            throw new InvalidInputException(Reason.INVALID_SETTING, PREFIX + "allowed-hosts",
                    "expected names of hosts without scheme and port, such as counting.example.com or *.example.com, found "
                            + host);
        }
    }

    private static void checkLive(ApiConfig.Live live) {
        SettingRange.positive(PREFIX + "live.poll-interval", live.pollInterval());
        SettingRange.positive(PREFIX + "live.heartbeat-interval", live.heartbeatInterval());
        SettingRange.atLeast(PREFIX + "live.max-clients", live.maxClients(), 0);
        SettingRange.atLeast(PREFIX + "live.max-buckets", live.maxBuckets(), 1);
        SettingRange.positive(PREFIX + "live.max-window", live.maxWindow());
        SettingRange.atLeast(PREFIX + "live.max-resume-age", live.maxResumeAge(), Duration.ZERO);
    }
}
