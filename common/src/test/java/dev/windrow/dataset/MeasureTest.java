package dev.windrow.dataset;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.math.BigDecimal;

import org.junit.jupiter.api.Test;

class MeasureTest {

    @Test
    void showsZeroBelowItsFloor() {
        Measure floored = new Measure("votes", MeasureKind.COUNT, null, true);
        assertThat(floored.shown(new BigDecimal(-3))).isEqualByComparingTo("0");
        assertThat(floored.shown(new BigDecimal(3))).isEqualByComparingTo("3");
        assertThat(new Measure("votes", MeasureKind.COUNT, null).shown(new BigDecimal(-3))).isEqualByComparingTo("-3");
    }

    @Test
    void hasAFloorOnlyIfItAddsUp() {
        assertThatThrownBy(() -> new Measure("least", MeasureKind.MIN, "bytes", true))
                .isInstanceOf(IllegalArgumentException.class).hasMessageContaining("floor");
    }
}
