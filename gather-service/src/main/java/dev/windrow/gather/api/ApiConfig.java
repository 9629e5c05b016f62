package dev.windrow.gather.api;

import java.time.Duration;
import java.util.List;
import java.util.Optional;

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
}
