package dev.windrow.gather.operate;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Map;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import dev.windrow.gather.fanout.GatherConfig;
import dev.windrow.gather.fanout.ReadConfig;
import dev.windrow.gather.http.ApiConfig;
import io.quarkus.runtime.configuration.ConfigurationException;
import io.smallrye.config.PropertiesConfigSource;
import io.smallrye.config.SmallRyeConfigBuilder;

/** The gatherer does not start with a setting outside of its range, and names the setting. */
class SettingsCheckTest {

    @Test
    void theDefaultsAreInRange() {
        assertThatCode(
                () -> check(Map.of("windrow.gather.api.allowed-hosts", "counting.example.com,*.apps.example.com,windrow")))
                .doesNotThrowAnyException();
    }

    /** One of each group of settings. */
    @ParameterizedTest
    @CsvSource(delimiter = ';', value = {
            "windrow.table; my table; 3 to 255 letters, digits, '_', '-' or '.'",
            "windrow.gather.api.max-limit; 0; 1 or more",
            "windrow.gather.api.default-timeout; 31s; more than 0s, at most 30s (windrow.gather.api.max-timeout), found 31s",
            "windrow.gather.api.live.max-clients; -1; 0 or more",
            "windrow.gather.api.prometheus.max-samples; 0; 1 or more",
            "windrow.gather.fanout.max-reads; 0; 1 or more",
            "windrow.gather.api.allowed-hosts; https://counting.example.com; names of hosts",
            "windrow.gather.api.allowed-hosts; counting.example.com:443; names of hosts",
            "windrow.gather.api.allowed-hosts; 'a.example,b c'; names of hosts",
            "windrow.gather.api.allowed-hosts; *; names of hosts",
            "windrow.gather.api.allowed-hosts; a.*.b; names of hosts" })
    void aValueOutsideOfItsRangeStopsTheStart(String key, String value, String range) {
        assertThatThrownBy(() -> check(Map.of(key, value))).isInstanceOf(ConfigurationException.class)
                .hasMessageStartingWith(key + ": expected " + range);
    }

    private static void check(Map<String, String> settings) {
        SettingsCheck.check(new SmallRyeConfigBuilder().addDiscoveredConverters()
                .withMapping(GatherConfig.class).withMapping(ApiConfig.class).withMapping(ReadConfig.class)
                .withDefaultValue("windrow.datasets-file", "datasets.yaml")
                .withSources(new PropertiesConfigSource(settings, "test", 100)).build());
    }
}
