package dev.windrow.gather.http;

import java.time.Duration;
import java.util.List;
import java.util.Optional;

import dev.windrow.base.SettingRange;
import io.quarkus.runtime.annotations.RegisterForReflection;
import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;

/** Limits of one request. */
@RegisterForReflection
@ConfigMapping(prefix = "windrow.gather.api")
public interface ApiConfig {

    /**
     * Items per page if the request has no {@code limit}.
     */
    @SettingRange(unit = "items", min = "1", max = "windrow.gather.api.max-limit")
    @WithDefault("100")
    int defaultLimit();

    /**
     * Maximum {@code limit} of a page.
     */
    @SettingRange(unit = "items", min = "1")
    @WithDefault("10000")
    int maxLimit();

    /**
     * Maximum number of buckets in a series.
     */
    @SettingRange(unit = "buckets", min = "1")
    @WithDefault("10000")
    int maxPoints();

    /**
     * Maximum length of a top list.
     */
    @SettingRange(unit = "labels", min = "1")
    @WithDefault("1000")
    int maxTop();

    /**
     * Maximum number of labels that a top list is picked from. All of them are held in memory.
     */
    @SettingRange(unit = "labels", min = "1")
    @WithDefault("1000000")
    int maxLabels();

    /**
     * {@code max-age} of responses about closed ranges. Clients may miss late events for this long.
     */
    @SettingRange(min = "0s")
    @WithDefault("1h")
    Duration closedMaxAge();

    /**
     * {@code max-age} of other responses.
     */
    @SettingRange(min = "0s")
    @WithDefault("1s")
    Duration openMaxAge();

    /**
     * Query deadline if the request has no {@code timeout}.
     */
    @SettingRange(above = "0s", max = "windrow.gather.api.max-timeout")
    @WithDefault("10s")
    Duration defaultTimeout();

    /**
     * Maximum {@code timeout} of a request. Liveness fails when queries are overdue by twice this.
     */
    @SettingRange(above = "0s")
    @WithDefault("30s")
    Duration maxTimeout();

    /**
     * Without authentication, further names by which clients may address the service, such as those of an Ingress or a load
     * balancer. IP addresses, names without dots, and names below {@code localhost}, {@code internal}, {@code svc} and
     * {@code svc.cluster.local} are always allowed. Requests to other names are rejected, because a web page could send them
     * through a visitor's browser.
     */
    @SettingRange(unit = "names of hosts without scheme and port, such as counting.example.com or *.example.com", //
            pattern = "(\\*\\.)?[A-Za-z0-9_-]+(\\.[A-Za-z0-9_-]+)*")
    Optional<List<String>> allowedHosts();

    /** Live streams of changed buckets. */
    Live live();

    /** Live streams of changed buckets. */
    interface Live {

        /**
         * Time between two polls of the watched buckets.
         */
        @SettingRange(above = "0s")
        @WithDefault("1s")
        Duration pollInterval();

        /**
         * Time between two heartbeats of a live stream.
         */
        @SettingRange(above = "0s", advice = "keep it below the idle timeout of proxies in between")
        @WithDefault("15s")
        Duration heartbeatInterval();

        /**
         * Maximum number of live streams.
         */
        @SettingRange(unit = "clients", min = "0")
        @WithDefault("100")
        int maxClients();

        /**
         * Maximum number of buckets that one live stream watches.
         */
        @SettingRange(unit = "buckets", min = "1")
        @WithDefault("10000")
        int maxBuckets();

        /**
         * Maximum {@code window} of a live stream.
         */
        @SettingRange(above = "0s")
        @WithDefault("24h")
        Duration maxWindow();

        /**
         * For how long a stream can resume: the time since the end of the first bucket that was watched at the client's last
         * event.
         */
        @SettingRange(min = "0s")
        @WithDefault("48h")
        Duration maxResumeAge();
    }

    /** The Prometheus-compatible API. */
    Prometheus prometheus();

    /** The Prometheus-compatible API. */
    interface Prometheus {

        /**
         * Maximum number of values, series times steps, of a PromQL query. All of them are held in memory.
         */
        @SettingRange(unit = "values", min = "1")
        @WithDefault("500000")
        int maxSamples();
    }
}
