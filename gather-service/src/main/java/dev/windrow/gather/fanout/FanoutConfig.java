package dev.windrow.gather.fanout;

import java.time.Duration;
import java.util.Optional;

import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;

/** Limits of the fan-out. */
@ConfigMapping(prefix = "windrow.gather.fanout")
public interface FanoutConfig {

    /**
     * Maximum number of reads in flight for one query.
     *
     * @return reads, 1 to {@code windrow.gather.fanout.max-reads}
     */
    @WithDefault("128")
    int maxReadsPerQuery();

    /**
     * Maximum number of reads in flight in all, hedged reads excepted; fewer while answers take a quarter of the attempt
     * timeout
     * or longer. More wait, and the queries that they are of take turns.
     * For hedged reads, each event loop may open an eighth more
     * connections than this, but at least 8 more.
     *
     * @return reads, 1 or more
     */
    @WithDefault("512")
    int maxReads();

    /**
     * Maximum number of queries running at a time. A few wide ones keep all reads busy; more only hold more pages in memory,
     * which the garbage collector copies again and again.
     *
     * @return queries, 1 or more
     */
    @WithDefault("16")
    int maxQueries();

    /**
     * Maximum number of queries waiting for their turn. Beyond that, requests are rejected with 503.
     *
     * @return queries, 0 or more
     */
    @WithDefault("112")
    int maxQueuedQueries();

    /**
     * Maximum number of streams (NDJSON and CSV of buckets) running beside the queries, since a stream lasts as long as its
     * client reads. As many more wait for their turn.
     *
     * @return streams, 1 or more
     */
    @WithDefault("32")
    int maxStreams();

    /**
     * A stream whose client reads nothing for this long is ended.
     *
     * @return more than 0
     */
    @WithDefault("30s")
    Duration slowClientTimeout();

    /**
     * Approximate number of items of one query held in memory, over all its shards.
     *
     * @return items, 1 or more
     */
    @WithDefault("20000")
    int maxItemsPerQuery();

    /**
     * {@code Retry-After} of rejected requests.
     *
     * @return whole seconds, 1s or more
     */
    @WithDefault("1s")
    Duration retryAfter();

    /** Retries and the circuit breaker of reads. */
    Resilience resilience();

    /** Hedged reads of slow shards. */
    Hedging hedging();

    /** Reads of the journal's lanes, which show how fresh buckets are. */
    Lanes lanes();

    /** Reads of the journal's lanes, which show how fresh buckets are. */
    interface Lanes {

        /**
         * How long lanes and the registered datasets are used before they are read again. {@code asOf} is older by up to
         * this.
         *
         * @return 0s or more
         */
        @WithDefault("1s")
        Duration refresh();

        /**
         * How long a read of the lanes, or of the registered datasets, may take. If it takes longer, queries are answered with
         * the last lanes, with a warning, and without leaderboards.
         *
         * @return more than 0
         */
        @WithDefault("1s")
        Duration timeout();

        /**
         * How long a lane with unapplied records may stay unchanged before it counts as abandoned.
         *
         * @return 1s or more; longer than {@code windrow.writer.journal.lease}
         */
        @WithDefault("1m")
        Duration abandonedAfter();
    }

    /**
     * A range is closed once it ended this long ago: its pages are cached here, and its responses may be cached by clients.
     * Later events show when those expire.
     *
     * @return 0s or more; longer than events are usually late
     */
    @WithDefault("1h")
    Duration closedAfter();

    /** The cache of pages of closed ranges. */
    Cache cache();

    /** The cache of pages of closed ranges. */
    interface Cache {

        /** Whether pages of closed ranges are cached. Number and age are those of the Quarkus cache {@code closed-pages}. */
        @WithDefault("true")
        boolean enabled();

        /**
         * Pages with more items than this are not cached.
         *
         * @return items, 0 or more
         */
        @WithDefault("500")
        int maxPageItems();

        /**
         * A Redis that gatherers share as a second level.
         *
         * @return URL such as {@code redis://host:6379}
         */
        Optional<String> redis();

        /**
         * How long Redis may take before the shard is read instead.
         *
         * @return more than 0
         */
        @WithDefault("100ms")
        Duration redisTimeout();

        /**
         * How long Redis keeps a page. Late events show after this long.
         *
         * @return more than 0
         */
        @WithDefault("1m")
        Duration redisTtl();
    }

    /** Retries and the circuit breaker of reads. */
    interface Resilience {

        /**
         * How long DynamoDB may take to answer one attempt of a read.
         *
         * @return more than 0; keep it below the query's deadline
         */
        @WithDefault("2s")
        Duration attemptTimeout();

        /**
         * Maximum number of retries of a failed read.
         *
         * @return retries, 0 or more
         */
        @WithDefault("3")
        int maxRetries();

        /**
         * Pause before the first retry. It doubles with each further one and varies by half of the initial pause.
         *
         * @return 0s or more
         */
        @WithDefault("25ms")
        Duration initialBackoff();

        /**
         * Maximum pause before a retry.
         *
         * @return at least {@code windrow.gather.fanout.resilience.initial-backoff}
         */
        @WithDefault("500ms")
        Duration maxBackoff();

        /**
         * Number of latest reads the circuit breaker looks at, of the last ten seconds.
         *
         * @return reads, 1 or more
         */
        @WithDefault("100")
        int circuitBreakerReads();

        /**
         * Share of failed reads at which the circuit breaker opens, when another read fails.
         *
         * @return ratio, 0 to 1
         */
        @WithDefault("0.5")
        double circuitBreakerFailureRatio();

        /**
         * How long the circuit breaker stays open; reads fail at once meanwhile.
         *
         * @return more than 0
         */
        @WithDefault("2s")
        Duration circuitBreakerDelay();
    }

    /** Hedged reads of slow shards. */
    interface Hedging {

        /** Whether slow shards are read again, up to twice. */
        @WithDefault("true")
        boolean enabled();

        /**
         * Maximum number of hedged reads, as a share of all reads.
         *
         * @return ratio, 0 to 1
         */
        @WithDefault("0.05")
        double budget();

        /**
         * A read is slow once it takes longer than this quantile of the latest latencies.
         *
         * @return quantile, 0 to 1
         */
        @WithDefault("0.95")
        double quantile();

        /**
         * Minimum wait before a slow shard is read again.
         *
         * @return 0s or more
         */
        @WithDefault("5ms")
        Duration minDelay();
    }
}
