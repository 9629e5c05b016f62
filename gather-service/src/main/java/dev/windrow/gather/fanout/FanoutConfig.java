package dev.windrow.gather.fanout;

import java.time.Duration;

import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;

/** Bounds of the fan-out. */
@ConfigMapping(prefix = "windrow.gather.fanout")
public interface FanoutConfig {

    /** The table; its index is {@code scatter}. */
    @WithDefault("${windrow.table:windrow}")
    String table();

    /** Most reads in flight for one answer. */
    @WithDefault("128")
    int readsPerAnswer();

    /** Most reads in flight in all. The HTTP client needs as many connections. */
    @WithDefault("512")
    int reads();

    /** Most answers gathered at a time. */
    @WithDefault("64")
    int answers();

    /** Most answers that wait for their turn; more are refused with 503. */
    @WithDefault("64")
    int answersWaiting();

    /** About how many items of one answer may be held at a time, over all its shards. */
    @WithDefault("20000")
    int itemsPerAnswer();

    /** When a refused client may come again. */
    @WithDefault("1S")
    Duration retryAfter();
}
