package dev.windrow.gather.fanout;

import java.time.Duration;
import java.util.Optional;

import dev.windrow.base.SettingRange;
import io.quarkus.runtime.annotations.RegisterForReflection;
import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;
import io.smallrye.config.WithName;

/** Limits of the fan-out. */
@RegisterForReflection
@ConfigMapping(prefix = "windrow.gather.fanout")
public interface ReadConfig {

    /**
     * Maximum number of reads in flight in all, hedged reads excepted; fewer while answers take half a second or longer.
     * More wait, and the queries that they are of take turns; one query has 128 at most. For hedged reads, each event loop may
     * open an eighth more connections than this, but at least 8 more.
     */
    @SettingRange(unit = "reads", min = "1")
    @WithDefault("512")
    int maxReads();

    /**
     * Maximum number of queries running at a time. A few wide ones keep all reads busy; more only hold more pages in memory,
     * which the garbage collector copies again and again.
     */
    @SettingRange(unit = "queries", min = "1")
    @WithDefault("16")
    int maxQueries();

    /** Maximum number of queries waiting for their turn. Beyond that, requests are rejected with 503. */
    @SettingRange(unit = "queries", min = "0")
    @WithDefault("112")
    int maxQueuedQueries();

    /**
     * A range is closed once it ended this long ago: its pages are cached here, and its responses may be cached by clients.
     * Later events show when those expire.
     */
    @SettingRange(min = "0s", advice = "longer than events are usually late")
    @WithDefault("1h")
    Duration closedAfter();

    /** Whether slow shards are read again, up to twice. */
    @WithDefault("true")
    @WithName("hedging.enabled")
    boolean hedging();

    /**
     * A Redis that gatherers share as a second level of the cache of closed ranges, whose first one is Quarkus'
     * {@code closed-pages}.
     *
     * @return URL such as {@code redis://host:6379}
     */
    @WithName("cache.redis")
    Optional<String> redis();

}
