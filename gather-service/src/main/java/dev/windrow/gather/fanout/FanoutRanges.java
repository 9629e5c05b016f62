package dev.windrow.gather.fanout;

import java.time.Duration;

import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;

import dev.windrow.base.InvalidInputException;
import dev.windrow.base.SettingRange;
import io.quarkus.runtime.StartupEvent;
import io.quarkus.runtime.configuration.ConfigurationException;

/** The documented ranges of the table's and the fan-out's settings, checked at start. */
@ApplicationScoped
public class FanoutRanges {

    private static final String PREFIX = "windrow.gather.fanout.";

    private final TableConfig table;
    private final FanoutConfig config;

    FanoutRanges(TableConfig table, FanoutConfig config) {
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
        SettingRange.atMost(PREFIX + "max-reads-per-query", config.maxReadsPerQuery(), config.maxReads(), PREFIX + "max-reads");
        SettingRange.atLeast(PREFIX + "max-queries", config.maxQueries(), 1);
        SettingRange.atLeast(PREFIX + "max-queued-queries", config.maxQueuedQueries(), 0);
        SettingRange.atLeast(PREFIX + "max-streams", config.maxStreams(), 1);
        SettingRange.positive(PREFIX + "slow-client-timeout", config.slowClientTimeout());
        SettingRange.atLeast(PREFIX + "max-items-per-query", config.maxItemsPerQuery(), 1);
        SettingRange.atLeast(PREFIX + "retry-after", config.retryAfter(), Duration.ofSeconds(1));
        SettingRange.wholeSeconds(PREFIX + "retry-after", config.retryAfter());
        SettingRange.atLeast(PREFIX + "closed-after", config.closedAfter(), Duration.ZERO);
    }

    private static void checkResilience(FanoutConfig.Resilience resilience) {
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

    private static void checkHedging(FanoutConfig.Hedging hedging) {
        SettingRange.ratio(PREFIX + "hedging.budget", hedging.budget());
        SettingRange.ratio(PREFIX + "hedging.quantile", hedging.quantile());
        SettingRange.atLeast(PREFIX + "hedging.min-delay", hedging.minDelay(), Duration.ZERO);
    }

    private static void checkLanes(FanoutConfig.Lanes lanes) {
        SettingRange.atLeast(PREFIX + "lanes.refresh", lanes.refresh(), Duration.ZERO);
        SettingRange.positive(PREFIX + "lanes.timeout", lanes.timeout());
        SettingRange.atLeast(PREFIX + "lanes.abandoned-after", lanes.abandonedAfter(), Duration.ofSeconds(1));
    }

    private static void checkCache(FanoutConfig.Cache cache) {
        SettingRange.atLeast(PREFIX + "cache.max-page-items", cache.maxPageItems(), 0);
        SettingRange.positive(PREFIX + "cache.redis-timeout", cache.redisTimeout());
        SettingRange.positive(PREFIX + "cache.redis-ttl", cache.redisTtl());
    }
}
