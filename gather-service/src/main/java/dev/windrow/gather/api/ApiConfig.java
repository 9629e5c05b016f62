package dev.windrow.gather.api;

import java.time.Duration;

import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;

/** What one request may ask for. */
@ConfigMapping(prefix = "windrow.gather.api")
public interface ApiConfig {

    /** Items of a page where the request names no limit. */
    @WithDefault("100")
    int defaultLimit();

    /** Most items of a page. */
    @WithDefault("10000")
    int maxLimit();

    /** Most buckets of a series. */
    @WithDefault("10000")
    int maxPoints();

    /** Most items of a top list. */
    @WithDefault("1000")
    int maxTop();

    /** Most labels that a top list is picked from; each is held in memory. */
    @WithDefault("1000000")
    int maxLabels();

    /** How long clients may keep answers about closed ranges, late events notwithstanding. */
    @WithDefault("1h")
    Duration closedMaxAge();

    /** How long clients may keep other answers. */
    @WithDefault("1s")
    Duration openMaxAge();

    /** How long an answer may take where the request says nothing. */
    @WithDefault("10s")
    Duration defaultTimeout();

    /** Longest time a request may ask for. */
    @WithDefault("30s")
    Duration maxTimeout();

    /** Watching buckets. */
    Live live();

    /** Watching buckets. */
    interface Live {

        /** Time between two looks. */
        @WithDefault("1s")
        Duration pollInterval();

        /** Time between two signs of life. */
        @WithDefault("15s")
        Duration heartbeatInterval();

        /** Most clients at a time. */
        @WithDefault("100")
        int maxClients();

        /** Most buckets that one client may watch. */
        @WithDefault("10000")
        int maxBuckets();

        /** Longest window. */
        @WithDefault("24h")
        Duration maxWindow();

        /** How long ago a client's last event may be for it to go on from there. */
        @WithDefault("48h")
        Duration maxResumeAge();
    }
}
