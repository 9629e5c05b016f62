package dev.windrow.gather.http;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;

import dev.windrow.base.InvalidInputException;
import dev.windrow.base.Reason;
import dev.windrow.base.SettingRange;
import io.quarkus.runtime.StartupEvent;
import io.quarkus.runtime.configuration.ConfigurationException;
import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;

/** Limits of one request. */
@ConfigMapping(prefix = "windrow.gather.api")
public interface ApiConfig {

    /**
     * Items per page if the request has no {@code limit}.
     *
     * @return items, 1 to {@code windrow.gather.api.max-limit}
     */
    @WithDefault("100")
    int defaultLimit();

    /**
     * Maximum {@code limit} of a page.
     *
     * @return items, 1 or more
     */
    @WithDefault("10000")
    int maxLimit();

    /**
     * Maximum number of buckets in a series.
     *
     * @return buckets, 1 or more
     */
    @WithDefault("10000")
    int maxPoints();

    /**
     * Maximum length of a top list.
     *
     * @return labels, 1 or more
     */
    @WithDefault("1000")
    int maxTop();

    /**
     * Maximum number of labels that a top list is picked from. All of them are held in memory.
     *
     * @return labels, 1 or more
     */
    @WithDefault("1000000")
    int maxLabels();

    /**
     * {@code max-age} of responses about closed ranges. Clients may miss late events for this long.
     *
     * @return 0s or more, in whole seconds
     */
    @WithDefault("1h")
    Duration closedMaxAge();

    /**
     * {@code max-age} of other responses.
     *
     * @return 0s or more, in whole seconds
     */
    @WithDefault("1s")
    Duration openMaxAge();

    /**
     * Query deadline if the request has no {@code timeout}.
     *
     * @return more than 0, at most {@code windrow.gather.api.max-timeout}
     */
    @WithDefault("10s")
    Duration defaultTimeout();

    /**
     * Maximum {@code timeout} of a request. Liveness fails when queries are overdue by twice this.
     *
     * @return more than 0
     */
    @WithDefault("30s")
    Duration maxTimeout();

    /**
     * Without authentication, further names by which clients may address the service, such as those of an Ingress or a load
     * balancer. IP addresses, names without dots, and names below {@code localhost}, {@code internal}, {@code svc} and
     * {@code svc.cluster.local} are always allowed. Requests to other names are rejected, because a web page could send them
     * through a visitor's browser.
     *
     * @return names without port; {@code *.} in front stands for all names below one
     */
    Optional<List<String>> allowedHosts();

    /** Live streams of changed buckets. */
    Live live();

    /** Live streams of changed buckets. */
    interface Live {

        /**
         * Time between two polls of the watched buckets.
         *
         * @return more than 0
         */
        @WithDefault("1s")
        Duration pollInterval();

        /**
         * Time between two heartbeats of a live stream.
         *
         * @return more than 0; keep it below the idle timeout of proxies in between
         */
        @WithDefault("15s")
        Duration heartbeatInterval();

        /**
         * Maximum number of live streams.
         *
         * @return clients, 0 or more
         */
        @WithDefault("100")
        int maxClients();

        /**
         * Maximum number of buckets that one live stream watches.
         *
         * @return buckets, 1 or more
         */
        @WithDefault("10000")
        int maxBuckets();

        /**
         * Maximum {@code window} of a live stream.
         *
         * @return more than 0
         */
        @WithDefault("24h")
        Duration maxWindow();

        /**
         * For how long a stream can resume: the time since the end of the first bucket that was watched at the client's last
         * event.
         *
         * @return 0s or more
         */
        @WithDefault("48h")
        Duration maxResumeAge();
    }

    /** The Prometheus-compatible API. */
    Prometheus prometheus();

    /** The Prometheus-compatible API. */
    interface Prometheus {

        /**
         * Maximum number of values, series times steps, of a PromQL query. All of them are held in memory.
         *
         * @return values, 1 or more
         */
        @WithDefault("500000")
        int maxSamples();
    }

    /** The documented ranges of the API's settings, checked at start. */
    @ApplicationScoped
    public static class ApiRanges {

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
            SettingRange.atMost(PREFIX + "default-timeout", config.defaultTimeout(), config.maxTimeout(),
                    PREFIX + "max-timeout");
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
}
