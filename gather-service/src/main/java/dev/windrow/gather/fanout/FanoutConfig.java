package dev.windrow.gather.fanout;

import java.time.Duration;
import java.util.Optional;

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
    int maxReadsPerQuery();

    /** Most reads in flight in all. The HTTP client needs as many connections. */
    @WithDefault("512")
    int maxReads();

    /** Most answers gathered at a time. */
    @WithDefault("64")
    int maxQueries();

    /** Most answers that wait for their turn; more are refused with 503. */
    @WithDefault("64")
    int maxQueuedQueries();

    /**
     * Most streams (NDJSON and CSV of buckets) gathered at a time, beside the answers: a stream lasts as long as its reader
     * takes. As many more wait for their turn.
     */
    @WithDefault("32")
    int maxStreams();

    /** How long a stream waits for its reader to take more before it is ended. */
    @WithDefault("30s")
    Duration slowClientTimeout();

    /** About how many items of one answer may be held at a time, over all its shards. */
    @WithDefault("20000")
    int maxItemsPerQuery();

    /** When a refused client may come again. */
    @WithDefault("1s")
    Duration retryAfter();

    /** Reading again, and leaving a failing table alone. */
    Resilience resilience();

    /** Asking slow shards again. */
    Hedging hedging();

    /**
     * How long after its end a range counts as closed, for the pages kept here and the answers kept by clients alike: events
     * later than this are seen when those are dropped.
     */
    @WithDefault("1h")
    Duration closedAfter();

    /** Keeping pages of closed ranges. */
    Cache cache();

    /** Keeping pages of closed ranges; how many and how long is set at the cache {@code closed-pages}. */
    interface Cache {

        /** Whether pages are kept. */
        @WithDefault("true")
        boolean enabled();

        /** Largest page that is kept, in items. */
        @WithDefault("500")
        int maxPageItems();

        /** A Redis that gatherers share as a second level, such as {@code redis://host:6379}; none if absent. */
        Optional<String> redis();

        /** How long an answer of Redis may take before the shard is asked instead. */
        @WithDefault("100ms")
        Duration redisTimeout();

        /** How long Redis keeps a page: late events are seen after so long. */
        @WithDefault("1m")
        Duration redisTtl();
    }

    /** Reading again, and leaving a failing table alone. */
    interface Resilience {

        /** How long one attempt of a read may take. */
        @WithDefault("2s")
        Duration attemptTimeout();

        /** How often a failed read is tried again. */
        @WithDefault("3")
        int maxRetries();

        /** Wait before the first retry; doubled for each further one, and spread by half of itself. */
        @WithDefault("25ms")
        Duration initialBackoff();

        /** Longest wait. */
        @WithDefault("500ms")
        Duration maxBackoff();

        /** Over how many reads the breaker looks back. */
        @WithDefault("100")
        int circuitBreakerReads();

        /** Share of failed reads that opens it. */
        @WithDefault("0.5")
        double circuitBreakerFailureRatio();

        /** How long it stays open. */
        @WithDefault("2s")
        Duration circuitBreakerDelay();
    }

    /** Asking slow shards again. */
    interface Hedging {

        /** Whether shards that are slower than most are asked again. */
        @WithDefault("true")
        boolean enabled();

        /** Most extra reads, as a share of all. */
        @WithDefault("0.05")
        double budget();

        /** The quantile of latest latencies after which a read counts as slow. */
        @WithDefault("0.95")
        double quantile();

        /** Shortest wait before a shard is asked again. */
        @WithDefault("5ms")
        Duration minDelay();
    }
}
