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

    /** How long an answer may take where the request says nothing. */
    @WithDefault("10S")
    Duration defaultTimeout();

    /** Longest time a request may ask for. */
    @WithDefault("30S")
    Duration mostTimeout();
}
