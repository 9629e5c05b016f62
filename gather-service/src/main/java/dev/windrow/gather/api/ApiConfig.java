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
    int mostLimit();

    /** Most buckets of a series. */
    @WithDefault("10000")
    int mostPoints();

    /** Most items of a top list. */
    @WithDefault("1000")
    int mostTop();

    /** Most labels that a top list is picked from; each is held in memory. */
    @WithDefault("1000000")
    int mostLabels();

    /** How long clients may keep answers about closed ranges, late events notwithstanding. */
    @WithDefault("1H")
    Duration keepClosed();

    /** How long clients may keep other answers. */
    @WithDefault("1S")
    Duration keepOpen();

    /** How long an answer may take where the request says nothing. */
    @WithDefault("10S")
    Duration defaultTimeout();

    /** Longest time a request may ask for. */
    @WithDefault("30S")
    Duration mostTimeout();

    /** Watching buckets. */
    Live live();

    /** Watching buckets. */
    interface Live {

        /** Time between two looks. */
        @WithDefault("1S")
        Duration interval();

        /** Time between two signs of life. */
        @WithDefault("15S")
        Duration heartbeat();

        /** Most clients at a time. */
        @WithDefault("100")
        int clients();

        /** Most buckets that one client may watch. */
        @WithDefault("10000")
        int buckets();

        /** Longest window. */
        @WithDefault("24H")
        Duration longestWindow();

        /** How long ago a client's last event may be for it to go on from there. */
        @WithDefault("48H")
        Duration longestResume();
    }
}
