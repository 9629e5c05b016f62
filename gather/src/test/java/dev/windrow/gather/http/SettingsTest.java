package dev.windrow.gather.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Map;

import org.junit.jupiter.api.Test;

import dev.windrow.gather.read.ReadConfig;
import dev.windrow.gather.read.ReadConfig.TableConfig;
import io.quarkus.runtime.configuration.DurationConverter;
import io.smallrye.config.PropertiesConfigSource;
import io.smallrye.config.SmallRyeConfigBuilder;

/** Names and defaults of settings are a contract with those who run the service. */
class SettingsTest {

    @Test
    void fanoutDefaults() {
        ReadConfig config = fanout(Map.of());

        assertThat(config.maxReadsPerQuery()).isEqualTo(128);
        assertThat(config.maxReads()).isEqualTo(512);
        assertThat(config.maxQueries()).isEqualTo(16);
        assertThat(config.maxQueuedQueries()).isEqualTo(112);
        assertThat(config.maxStreams()).isEqualTo(32);
        assertThat(config.slowClientTimeout()).isEqualTo(Duration.ofSeconds(30));
        assertThat(config.maxItemsPerQuery()).isEqualTo(20_000);
        assertThat(config.retryAfter()).isEqualTo(Duration.ofSeconds(1));
        assertThat(config.resilience().attemptTimeout()).isEqualTo(Duration.ofSeconds(2));
        assertThat(config.resilience().maxRetries()).isEqualTo(3);
        assertThat(config.resilience().initialBackoff()).isEqualTo(Duration.ofMillis(25));
        assertThat(config.resilience().maxBackoff()).isEqualTo(Duration.ofMillis(500));
        assertThat(config.resilience().circuitBreakerReads()).isEqualTo(100);
        assertThat(config.resilience().circuitBreakerFailureRatio()).isEqualTo(0.5);
        assertThat(config.resilience().circuitBreakerDelay()).isEqualTo(Duration.ofSeconds(2));
        assertThat(config.hedging().enabled()).isTrue();
        assertThat(config.hedging().budget()).isEqualTo(0.05);
        assertThat(config.hedging().quantile()).isEqualTo(0.95);
        assertThat(config.hedging().minDelay()).isEqualTo(Duration.ofMillis(5));
        assertThat(config.lanes().refresh()).isEqualTo(Duration.ofSeconds(1));
        assertThat(config.lanes().timeout()).isEqualTo(Duration.ofSeconds(1));
        assertThat(config.lanes().abandonedAfter()).isEqualTo(Duration.ofMinutes(1));
        assertThat(config.cache().enabled()).isTrue();
        assertThat(config.closedAfter()).isEqualTo(Duration.ofHours(1));
        assertThat(config.cache().maxPageItems()).isEqualTo(500);
        assertThat(config.cache().redis()).isEmpty();
        assertThat(config.cache().redisTimeout()).isEqualTo(Duration.ofMillis(100));
        assertThat(config.cache().redisTtl()).isEqualTo(Duration.ofMinutes(1));
    }

    @Test
    void fanoutNames() {
        ReadConfig config = fanout(Map.of("windrow.gather.fanout.max-reads-per-query", "7",
                "windrow.gather.fanout.cache.redis", "redis://h:1",
                "windrow.gather.fanout.hedging.enabled", "false"));

        assertThat(config.maxReadsPerQuery()).isEqualTo(7);
        assertThat(config.cache().redis()).contains("redis://h:1");
        assertThat(config.hedging().enabled()).isFalse();
    }

    @Test
    void theTableHasTheNameThatTheWriterReadsToo() {
        assertThat(table(Map.of()).table()).isEqualTo("windrow");
        assertThat(table(Map.of("windrow.table", "other")).table()).isEqualTo("other");
    }

    @Test
    void apiDefaults() {
        ApiConfig config = new SmallRyeConfigBuilder().addDefaultInterceptors()
                .withConverter(Duration.class, 200, new DurationConverter()).withMapping(ApiConfig.class).build()
                .getConfigMapping(ApiConfig.class);

        assertThat(config.defaultLimit()).isEqualTo(100);
        assertThat(config.maxLimit()).isEqualTo(10_000);
        assertThat(config.maxPoints()).isEqualTo(10_000);
        assertThat(config.maxTop()).isEqualTo(1_000);
        assertThat(config.maxLabels()).isEqualTo(1_000_000);
        assertThat(config.defaultTimeout()).isEqualTo(Duration.ofSeconds(10));
        assertThat(config.maxTimeout()).isEqualTo(Duration.ofSeconds(30));
        assertThat(config.closedMaxAge()).isEqualTo(Duration.ofHours(1));
        assertThat(config.openMaxAge()).isEqualTo(Duration.ofSeconds(1));
        assertThat(config.live().pollInterval()).isEqualTo(Duration.ofSeconds(1));
        assertThat(config.live().heartbeatInterval()).isEqualTo(Duration.ofSeconds(15));
        assertThat(config.live().maxClients()).isEqualTo(100);
        assertThat(config.live().maxBuckets()).isEqualTo(10_000);
        assertThat(config.live().maxWindow()).isEqualTo(Duration.ofDays(1));
        assertThat(config.live().maxResumeAge()).isEqualTo(Duration.ofDays(2));
        assertThat(config.prometheus().maxSamples()).isEqualTo(500_000);
    }

    private static TableConfig table(Map<String, String> settings) {
        return new SmallRyeConfigBuilder().withSources(new PropertiesConfigSource(settings, "test", 100))
                .withMapping(TableConfig.class).build().getConfigMapping(TableConfig.class);
    }

    private static ReadConfig fanout(Map<String, String> settings) {
        return new SmallRyeConfigBuilder().addDefaultInterceptors()
                .withSources(new PropertiesConfigSource(settings, "test", 100))
                .withConverter(Duration.class, 200, new DurationConverter()).withMapping(ReadConfig.class).build()
                .getConfigMapping(ReadConfig.class);
    }
}
