package dev.windrow.base;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import io.smallrye.config.ConfigMapping;
import io.smallrye.config.PropertiesConfigSource;
import io.smallrye.config.SmallRyeConfigBuilder;
import io.smallrye.config.WithDefault;
import io.smallrye.config.WithName;

/** A value outside of the range that its annotation declares is refused, with its key and the range. */
class SettingRangesTest {

    @Test
    void theDefaultsAreInRange() {
        assertThatCode(() -> check(Map.of())).doesNotThrowAnyException();
    }

    @ParameterizedTest
    @ValueSource(strings = { "t.min=2", "t.above=1ns", "t.limit=20", "t.below=39999s", "t.bytes=40000", "t.bytes=20K",
            "t.between=0", "t.between=1", "t.waits.day=1h", "t.names=a,*.b.c", "t.group.share=0.001" })
    void valuesAtTheLimitAreInRange(String setting) {
        assertThatCode(() -> check(setting(setting))).doesNotThrowAnyException();
    }

    @ParameterizedTest
    @CsvSource(delimiter = ';', value = {
            "t.min=1;               t.min: expected 2 or more, found 1",
            "t.above=0s;            t.above: expected more than 0s, at most 20m (t.top-limit), found 0s",
            "t.above=1201s;         t.above: expected more than 0s, at most 20m (t.top-limit), found 1201s",
            "t.top-limit=9m;        t.above: expected more than 0s, at most 9m (t.top-limit), found 10m",
            "t.top-limit=0s;        t.top-limit: expected more than 0s, found 0s",
            "t.limit=21;            t.limit: expected at most 20, found 21",
            "t.below=40000s;        t.below: expected less than 40000s, found 40000s",
            "t.bytes=1025K;         t.bytes: expected 1K to 1M, found 1025K",
            "t.bytes=1023;          t.bytes: expected 1K to 1M, found 1023",
            "t.between=1.01;        t.between: expected 0 to 1, found 1.01",
            "t.between=NaN;         t.between: expected 0 to 1, found NaN",
            "t.waits.day=3601s;     t.waits.day: expected at most 1h, found 3601s",
            "'t.names=a,b c';       t.names: expected names of hosts, found b c",
            "t.group.share=0;       t.group.share: expected more than 0, found 0.0" })
    void aValueOutsideIsRefusedWithItsKeyAndRange(String setting, String message) {
        assertThatThrownBy(() -> check(setting(setting))).hasMessage(message)
                .isInstanceOfSatisfying(InvalidInputException.class,
                        e -> assertThat(e.reason()).isEqualTo(Reason.INVALID_SETTING));
    }

    private static Map<String, String> setting(String setting) {
        int equals = setting.indexOf('=');
        return Map.of(setting.substring(0, equals), setting.substring(equals + 1));
    }

    private static void check(Map<String, String> settings) {
        SettingRanges.check(new SmallRyeConfigBuilder().withMapping(Things.class)
                .withConverter(Duration.class, 200, SettingRangesTest::duration)
                .withConverter(Bytes.class, 200, Bytes::new)
                .withSources(new PropertiesConfigSource(settings, "test", 100)).build(), Things.class);
    }

    /** As the services read them, for which Quarkus has a converter. */
    private static Duration duration(String text) {
        return text.endsWith("ns") ? Duration.ofNanos(Long.parseLong(text.substring(0, text.length() - 2)))
                : Duration.parse("PT" + text);
    }

    /** Settings with each kind of limit. */
    @ConfigMapping(prefix = "t")
    public interface Things {

        @SettingRange(unit = "things", min = "2")
        @WithName("min")
        @WithDefault("3")
        int minimum();

        @SettingRange(above = "0s", max = "t.top-limit")
        @WithDefault("10m")
        Duration above();

        @SettingRange(above = "0s")
        @WithDefault("20m")
        Duration topLimit();

        @SettingRange(max = "20")
        Optional<Long> limit();

        @SettingRange(below = "40000s")
        @WithDefault("1s")
        Duration below();

        @SettingRange(unit = "bytes", min = "1K", max = "1M")
        @WithDefault("2k")
        Bytes bytes();

        @SettingRange(min = "0", max = "1")
        OptionalDouble between();

        @SettingRange(max = "1h")
        Map<String, Duration> waits();

        @SettingRange(unit = "names of hosts", pattern = "[a-z.*]+")
        Optional<List<String>> names();

        Group group();

        interface Group {

            @SettingRange(above = "0")
            @WithDefault("1")
            double share();
        }
    }

    /** A type of its own, such as Quarkus has for sizes. */
    record Bytes(String text) {
    }
}
