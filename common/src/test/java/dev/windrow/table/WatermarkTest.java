package dev.windrow.table;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class WatermarkTest {

    private static final long READ = 100_000;

    @Test
    void textIsReadAsItWasWritten() {
        List<Watermark> watermarks = List.of(new Watermark("5-minutes", 41, 1_763_719_200_123L, 1_763_719_000),
                new Watermark("week", 0, 7, -259_200), new Watermark("day", 3, 8, Watermark.ANY_START));

        assertThat(WatermarkCodec.decode(WatermarkCodec.encode(watermarks))).isEqualTo(watermarks);
        assertThat(WatermarkCodec.encode(watermarks)).startsWith("5-minutes 41 1763719200123 1763719000;week 0 7 -259200;");
    }

    @Test
    void nothingLagsWhereThereIsNoText() {
        assertThat(WatermarkCodec.encode(List.of())).isEmpty();
        assertThat(WatermarkCodec.decode("")).isEmpty();
    }

    @Test
    void fieldsOfLaterReleasesAreSkipped() {
        assertThat(WatermarkCodec.decode("day 3 8 0 more")).containsExactly(new Watermark("day", 3, 8, 0));
    }

    @ParameterizedTest
    @ValueSource(strings = { "day", "day 1 2", "day 1 2 x", ";", "day 1 2 3;" })
    void anythingElseIsAnError(String text) {
        assertThatThrownBy(() -> WatermarkCodec.decode(text)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void theOldestLaneThatLagsInTheRangeSaysAsOf() {
        Freshness freshness = new Freshness(READ, List.of(new Watermark("hour", 1, 90_000, 7_200),
                new Watermark("hour", 5, 80_000, 10_800), new Watermark("day", 1, 70_000, 0)));

        assertThat(freshness.asOf("hour", 7_200)).isEqualTo(READ);
        assertThat(freshness.asOf("hour", 7_201)).isEqualTo(90_000);
        assertThat(freshness.asOf("hour", Long.MAX_VALUE)).isEqualTo(80_000);
        assertThat(freshness.asOf("day", 1)).isEqualTo(70_000);
        assertThat(freshness.asOf("minute", Long.MAX_VALUE)).isEqualTo(READ);
        assertThat(freshness.lagsFrom("hour")).hasValue(7_200);
        assertThat(freshness.lagsFrom("minute")).isEmpty();
    }
}
