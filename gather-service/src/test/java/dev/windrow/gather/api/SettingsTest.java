package dev.windrow.gather.api;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Map;

import org.junit.jupiter.api.Test;

import dev.windrow.gather.fanout.FanoutConfig;
import io.quarkus.runtime.configuration.DurationConverter;
import io.smallrye.config.PropertiesConfigSource;
import io.smallrye.config.SmallRyeConfigBuilder;

/** Names and defaults of settings are a contract with those who run the service. */
class SettingsTest {

    @Test
    void fanoutDefaults() {
        FanoutConfig config = fanout(Map.of());

        assertThat(config.table()).isEqualTo("windrow");
        assertThat(config.reader()).isEqualTo(FanoutConfig.Reader.WIRE);
        assertThat(config.readsPerAnswer()).isEqualTo(128);
        assertThat(config.reads()).isEqualTo(512);
        assertThat(config.answers()).isEqualTo(64);
        assertThat(config.answersWaiting()).isEqualTo(64);
        assertThat(config.streams()).isEqualTo(32);
        assertThat(config.readerTimeout()).isEqualTo(Duration.ofSeconds(30));
        assertThat(config.itemsPerAnswer()).isEqualTo(20_000);
        assertThat(config.retryAfter()).isEqualTo(Duration.ofSeconds(1));
        assertThat(config.resilience().attemptTimeout()).isEqualTo(Duration.ofSeconds(2));
        assertThat(config.resilience().retries()).isEqualTo(3);
        assertThat(config.resilience().delay()).isEqualTo(Duration.ofMillis(25));
        assertThat(config.resilience().longestDelay()).isEqualTo(Duration.ofMillis(500));
        assertThat(config.resilience().breakerReads()).isEqualTo(100);
        assertThat(config.resilience().breakerRatio()).isEqualTo(0.5);
        assertThat(config.resilience().breakerDelay()).isEqualTo(Duration.ofSeconds(2));
        assertThat(config.hedging().enabled()).isTrue();
        assertThat(config.hedging().budget()).isEqualTo(0.05);
        assertThat(config.hedging().quantile()).isEqualTo(0.95);
        assertThat(config.hedging().shortestDelay()).isEqualTo(Duration.ofMillis(5));
        assertThat(config.cache().enabled()).isTrue();
        assertThat(config.closedAfter()).isEqualTo(Duration.ofHours(1));
        assertThat(config.cache().mostItems()).isEqualTo(500);
        assertThat(config.cache().redis()).isEmpty();
        assertThat(config.cache().redisPatience()).isEqualTo(Duration.ofMillis(100));
        assertThat(config.cache().redisKeep()).isEqualTo(Duration.ofMinutes(1));
    }

    @Test
    void fanoutNames() {
        FanoutConfig config = fanout(Map.of("windrow.table", "other", "windrow.gather.fanout.reads-per-answer", "7",
                "windrow.gather.fanout.cache.redis", "redis://h:1", "windrow.gather.fanout.reader", "sdk",
                "windrow.gather.fanout.hedging.enabled", "false"));

        assertThat(config.table()).isEqualTo("other");
        assertThat(config.readsPerAnswer()).isEqualTo(7);
        assertThat(config.reader()).isEqualTo(FanoutConfig.Reader.SDK);
        assertThat(config.cache().redis()).contains("redis://h:1");
        assertThat(config.hedging().enabled()).isFalse();
    }

    @Test
    void apiDefaults() {
        ApiConfig config = new SmallRyeConfigBuilder().addDefaultInterceptors()
                .withConverter(Duration.class, 200, new DurationConverter()).withMapping(ApiConfig.class).build()
                .getConfigMapping(ApiConfig.class);

        assertThat(config.defaultLimit()).isEqualTo(100);
        assertThat(config.mostLimit()).isEqualTo(10_000);
        assertThat(config.mostPoints()).isEqualTo(10_000);
        assertThat(config.mostTop()).isEqualTo(1_000);
        assertThat(config.mostLabels()).isEqualTo(1_000_000);
        assertThat(config.defaultTimeout()).isEqualTo(Duration.ofSeconds(10));
        assertThat(config.mostTimeout()).isEqualTo(Duration.ofSeconds(30));
        assertThat(config.keepClosed()).isEqualTo(Duration.ofHours(1));
        assertThat(config.keepOpen()).isEqualTo(Duration.ofSeconds(1));
        assertThat(config.live().interval()).isEqualTo(Duration.ofSeconds(1));
        assertThat(config.live().heartbeat()).isEqualTo(Duration.ofSeconds(15));
        assertThat(config.live().clients()).isEqualTo(100);
        assertThat(config.live().buckets()).isEqualTo(10_000);
        assertThat(config.live().longestWindow()).isEqualTo(Duration.ofDays(1));
        assertThat(config.live().longestResume()).isEqualTo(Duration.ofDays(2));
    }

    private static FanoutConfig fanout(Map<String, String> settings) {
        return new SmallRyeConfigBuilder().addDefaultInterceptors()
                .withSources(new PropertiesConfigSource(settings, "test", 100))
                .withConverter(Duration.class, 200, new DurationConverter()).withMapping(FanoutConfig.class).build()
                .getConfigMapping(FanoutConfig.class);
    }
}
