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

        assertThat(config.maxReads()).isEqualTo(512);
        assertThat(config.maxQueries()).isEqualTo(16);
        assertThat(config.maxQueuedQueries()).isEqualTo(112);
        assertThat(config.hedging()).isTrue();
        assertThat(config.cache()).isTrue();
        assertThat(config.closedAfter()).isEqualTo(Duration.ofHours(1));
        assertThat(config.redis()).isEmpty();
    }

    @Test
    void fanoutNames() {
        ReadConfig config = fanout(Map.of("windrow.gather.fanout.max-reads", "7",
                "windrow.gather.fanout.cache.redis", "redis://h:1",
                "windrow.gather.fanout.hedging.enabled", "false"));

        assertThat(config.maxReads()).isEqualTo(7);
        assertThat(config.redis()).contains("redis://h:1");
        assertThat(config.hedging()).isFalse();
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

        assertThat(config.maxLimit()).isEqualTo(10_000);
        assertThat(config.maxPoints()).isEqualTo(10_000);
        assertThat(config.maxLabels()).isEqualTo(1_000_000);
        assertThat(config.defaultTimeout()).isEqualTo(Duration.ofSeconds(10));
        assertThat(config.maxTimeout()).isEqualTo(Duration.ofSeconds(30));
        assertThat(config.maxClients()).isEqualTo(100);
        assertThat(config.maxSamples()).isEqualTo(500_000);
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
