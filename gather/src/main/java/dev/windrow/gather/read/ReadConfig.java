package dev.windrow.gather.read;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;

import org.eclipse.microprofile.config.Config;
import org.eclipse.microprofile.config.ConfigProvider;

import dev.windrow.aws.NetworkSettings;
import dev.windrow.base.InvalidInputException;
import dev.windrow.base.SettingRange;
import io.quarkus.runtime.annotations.RegisterForReflection;
import io.quarkus.runtime.configuration.ConfigurationException;
import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;

/** Limits of the fan-out. */
@RegisterForReflection
@ConfigMapping(prefix = "windrow.gather.fanout")
public interface ReadConfig {

    /**
     * Maximum number of reads in flight for one query.
     */
    @SettingRange(unit = "reads", min = "1", max = "windrow.gather.fanout.max-reads")
    @WithDefault("128")
    int maxReadsPerQuery();

    /**
     * Maximum number of reads in flight in all, hedged reads excepted; fewer while answers take a quarter of the attempt
     * timeout
     * or longer. More wait, and the queries that they are of take turns.
     * For hedged reads, each event loop may open an eighth more
     * connections than this, but at least 8 more.
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

    /**
     * Maximum number of queries waiting for their turn. Beyond that, requests are rejected with 503.
     */
    @SettingRange(unit = "queries", min = "0")
    @WithDefault("112")
    int maxQueuedQueries();

    /**
     * Maximum number of streams (NDJSON and CSV of buckets) running beside the queries, since a stream lasts as long as its
     * client reads. As many more wait for their turn.
     */
    @SettingRange(unit = "streams", min = "1")
    @WithDefault("32")
    int maxStreams();

    /**
     * A stream whose client reads nothing for this long is ended.
     */
    @SettingRange(above = "0s")
    @WithDefault("30s")
    Duration slowClientTimeout();

    /**
     * Approximate number of items of one query held in memory, over all its shards.
     */
    @SettingRange(unit = "items", min = "1")
    @WithDefault("20000")
    int maxItemsPerQuery();

    /**
     * {@code Retry-After} of rejected requests.
     */
    @SettingRange(min = "1s")
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
         */
        @SettingRange(min = "0s")
        @WithDefault("1s")
        Duration refresh();

        /**
         * How long a read of the lanes, or of the registered datasets, may take. If it takes longer, queries are answered with
         * the last lanes, with a warning, and without leaderboards.
         */
        @SettingRange(above = "0s")
        @WithDefault("1s")
        Duration timeout();

        /**
         * How long a lane with unapplied records may stay unchanged before it counts as abandoned.
         */
        @SettingRange(min = "1s", advice = "longer than `windrow.writer.journal.lease`")
        @WithDefault("1m")
        Duration abandonedAfter();
    }

    /**
     * A range is closed once it ended this long ago: its pages are cached here, and its responses may be cached by clients.
     * Later events show when those expire.
     */
    @SettingRange(min = "0s", advice = "longer than events are usually late")
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
         */
        @SettingRange(unit = "items", min = "0")
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
         */
        @SettingRange(above = "0s")
        @WithDefault("100ms")
        Duration redisTimeout();

        /**
         * How long Redis keeps a page. Late events show after this long.
         */
        @SettingRange(above = "0s")
        @WithDefault("1m")
        Duration redisTtl();
    }

    /** Retries and the circuit breaker of reads. */
    interface Resilience {

        /**
         * How long DynamoDB may take to answer one attempt of a read.
         */
        @SettingRange(above = "0s", advice = "keep it below the query's deadline")
        @WithDefault("2s")
        Duration attemptTimeout();

        /**
         * Maximum number of retries of a failed read.
         */
        @SettingRange(unit = "retries", min = "0")
        @WithDefault("3")
        int maxRetries();

        /**
         * Pause before the first retry. It doubles with each further one and varies by half of the initial pause.
         */
        @SettingRange(min = "0s")
        @WithDefault("25ms")
        Duration initialBackoff();

        /**
         * Maximum pause before a retry.
         */
        @SettingRange(min = "windrow.gather.fanout.resilience.initial-backoff")
        @WithDefault("500ms")
        Duration maxBackoff();

        /**
         * Number of latest reads the circuit breaker looks at, of the last ten seconds.
         */
        @SettingRange(unit = "reads", min = "1")
        @WithDefault("100")
        int circuitBreakerReads();

        /**
         * Share of failed reads at which the circuit breaker opens, when another read fails.
         */
        @SettingRange(unit = "ratio", min = "0", max = "1")
        @WithDefault("0.5")
        double circuitBreakerFailureRatio();

        /**
         * How long the circuit breaker stays open; reads fail at once meanwhile.
         */
        @SettingRange(above = "0s")
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
         */
        @SettingRange(unit = "ratio", min = "0", max = "1")
        @WithDefault("0.05")
        double budget();

        /**
         * A read is slow once it takes longer than this quantile of the latest latencies.
         */
        @SettingRange(unit = "quantile", min = "0", max = "1")
        @WithDefault("0.95")
        double quantile();

        /**
         * Minimum wait before a slow shard is read again.
         */
        @SettingRange(min = "0s")
        @WithDefault("5ms")
        Duration minDelay();
    }

    /** Which table is read. */
    @RegisterForReflection
    @ConfigMapping(prefix = "windrow")
    public interface TableConfig {

        /**
         * Name of the DynamoDB table.
         */
        @SettingRange(unit = "3 to 255 letters, digits, '_', '-' or '.'", pattern = "[a-zA-Z0-9_.-]{3,255}")
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
