package dev.windrow.gather.read;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;

import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;

import org.eclipse.microprofile.config.Config;
import org.eclipse.microprofile.config.ConfigProvider;

import dev.windrow.aws.NetworkSettings;
import dev.windrow.base.InvalidInputException;
import dev.windrow.base.SettingRange;
import io.quarkus.runtime.StartupEvent;
import io.quarkus.runtime.configuration.ConfigurationException;
import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;

/** Limits of the fan-out. */
@ConfigMapping(prefix = "windrow.gather.fanout")
public interface ReadConfig {

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

    /** The documented ranges of the table's and the fan-out's settings, checked at start. */
    @ApplicationScoped
    public static class FanoutRanges {

        private static final String PREFIX = "windrow.gather.fanout.";

        private final TableConfig table;
        private final ReadConfig config;

        FanoutRanges(TableConfig table, ReadConfig config) {
            this.table = table;
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
            SettingRange.tableName("windrow.table", table.table());
            checkLimits();
            checkResilience(config.resilience());
            checkHedging(config.hedging());
            checkCache(config.cache());
            checkLanes(config.lanes());
        }

        private void checkLimits() {
            SettingRange.atLeast(PREFIX + "max-reads", config.maxReads(), 1);
            SettingRange.atLeast(PREFIX + "max-reads-per-query", config.maxReadsPerQuery(), 1);
            SettingRange.atMost(PREFIX + "max-reads-per-query", config.maxReadsPerQuery(), config.maxReads(),
                    PREFIX + "max-reads");
            SettingRange.atLeast(PREFIX + "max-queries", config.maxQueries(), 1);
            SettingRange.atLeast(PREFIX + "max-queued-queries", config.maxQueuedQueries(), 0);
            SettingRange.atLeast(PREFIX + "max-streams", config.maxStreams(), 1);
            SettingRange.positive(PREFIX + "slow-client-timeout", config.slowClientTimeout());
            SettingRange.atLeast(PREFIX + "max-items-per-query", config.maxItemsPerQuery(), 1);
            SettingRange.atLeast(PREFIX + "retry-after", config.retryAfter(), Duration.ofSeconds(1));
            SettingRange.wholeSeconds(PREFIX + "retry-after", config.retryAfter());
            SettingRange.atLeast(PREFIX + "closed-after", config.closedAfter(), Duration.ZERO);
        }

        private static void checkResilience(ReadConfig.Resilience resilience) {
            String prefix = PREFIX + "resilience.";
            SettingRange.positive(prefix + "attempt-timeout", resilience.attemptTimeout());
            SettingRange.atLeast(prefix + "max-retries", resilience.maxRetries(), 0);
            SettingRange.atLeast(prefix + "initial-backoff", resilience.initialBackoff(), Duration.ZERO);
            SettingRange.atMost(prefix + "initial-backoff", resilience.initialBackoff(), resilience.maxBackoff(),
                    prefix + "max-backoff");
            SettingRange.atLeast(prefix + "circuit-breaker-reads", resilience.circuitBreakerReads(), 1);
            SettingRange.ratio(prefix + "circuit-breaker-failure-ratio", resilience.circuitBreakerFailureRatio());
            SettingRange.positive(prefix + "circuit-breaker-delay", resilience.circuitBreakerDelay());
        }

        private static void checkHedging(ReadConfig.Hedging hedging) {
            SettingRange.ratio(PREFIX + "hedging.budget", hedging.budget());
            SettingRange.ratio(PREFIX + "hedging.quantile", hedging.quantile());
            SettingRange.atLeast(PREFIX + "hedging.min-delay", hedging.minDelay(), Duration.ZERO);
        }

        private static void checkLanes(ReadConfig.Lanes lanes) {
            SettingRange.atLeast(PREFIX + "lanes.refresh", lanes.refresh(), Duration.ZERO);
            SettingRange.positive(PREFIX + "lanes.timeout", lanes.timeout());
            SettingRange.atLeast(PREFIX + "lanes.abandoned-after", lanes.abandonedAfter(), Duration.ofSeconds(1));
        }

        private static void checkCache(ReadConfig.Cache cache) {
            SettingRange.atLeast(PREFIX + "cache.max-page-items", cache.maxPageItems(), 0);
            SettingRange.positive(PREFIX + "cache.redis-timeout", cache.redisTimeout());
            SettingRange.positive(PREFIX + "cache.redis-ttl", cache.redisTtl());
        }
    }

    /** Which table is read. */
    @ConfigMapping(prefix = "windrow")
    public interface TableConfig {

        /**
         * Name of the DynamoDB table.
         *
         * @return 3 to 255 letters, digits, {@code _}, {@code -} or {@code .}
         */
        @WithDefault("windrow")
        String table();
    }

    /** How AWS is reached; proxies come from {@code HTTPS_PROXY}, {@code HTTP_PROXY} and {@code NO_PROXY}. */
    @ConfigMapping(prefix = "windrow.aws")
    public interface NetworkConfig {

        /**
         * A PEM file with certificate authorities trusted besides those of the platform.
         *
         * @return path of a readable file
         */
        @WithDefault("${AWS_CA_BUNDLE:}")
        Optional<Path> caBundle();

        /** @throws ConfigurationException if a proxy or the file is wrong */
        default NetworkSettings settings() {
            // The configuration includes the environment's variables by name.
            Config config = ConfigProvider.getConfig();
            try {
                return NetworkSettings.ofProcess(name -> config.getOptionalValue(name, String.class), caBundle());
            } catch (InvalidInputException e) {
                // Without a stack trace: the operator corrects the setting.
                throw new ConfigurationException(e.getMessage());
            }
        }
    }
}
