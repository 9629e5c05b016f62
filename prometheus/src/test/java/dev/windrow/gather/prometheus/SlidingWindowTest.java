package dev.windrow.gather.prometheus;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigDecimal;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.random.RandomGenerator;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import dev.windrow.dataset.MeasureKind;
import dev.windrow.dataset.MeasureValue;
import dev.windrow.gather.prometheus.Windows.SlidingWindow;
import dev.windrow.testing.Seeds;

/** The window against a plain queue. */
class SlidingWindowTest {

    @ParameterizedTest
    @EnumSource
    void everythingInTheWindowIsCombined(MeasureKind kind) {
        RandomGenerator random = Seeds.random("SlidingWindowTest");
        SlidingWindow window = new SlidingWindow(kind);
        Deque<MeasureValue> model = new ArrayDeque<>();

        for (int i = 0; i < 2_000; i++) {
            if (!model.isEmpty() && random.nextInt(5) < 2 + (i / 500) % 2) {
                window.removeOldest();
                model.removeFirst();
            } else {
                BigDecimal number = BigDecimal.valueOf(random.nextInt(-50, 50));
                MeasureValue value = kind.valueOf(number, Instant.ofEpochSecond(random.nextInt(20)));
                window.add(value);
                model.addLast(value);
            }

            assertThat(window.combined()).isEqualTo(model.stream().reduce(kind::combine).orElse(null));
        }
    }
}
