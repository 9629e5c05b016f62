package dev.windrow.writer.store;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;

import org.junit.jupiter.api.Test;

class WriteLevelTest {

    private final AtomicLong now = new AtomicLong(1_000_000);

    @Test
    void allowsWhatIsConfigured() {
        WriteLevel level = new WriteLevel(100, now::get);
        assertThat(taken(level, 10, Duration.ofSeconds(10))).isBetween(1_000.0, 1_040.0);
    }

    @Test
    void allowsAnythingUntilItIsThrottled() {
        WriteLevel level = new WriteLevel(Double.POSITIVE_INFINITY, now::get);
        for (int i = 0; i < 10_000; i++) {
            assertThat(level.tryTake(100)).isTrue();
        }
    }

    @Test
    void halvesTheRateOncePerSwarmAndIsFreeAgainSecondsAfterTheStorm() {
        // Given a rate of about 1,000 units a second
        WriteLevel level = new WriteLevel(Double.POSITIVE_INFINITY, now::get);
        for (int i = 0; i < 20; i++) {
            pass(Duration.ofMillis(100));
            assertThat(level.tryTake(100)).isTrue();
        }

        // When
        level.throttled();
        level.throttled();

        // Then
        assertThat(level.rate()).isBetween(450.0, 550.0);

        // When the storm goes on for a minute
        for (int i = 0; i < 240; i++) {
            pass(Duration.ofMillis(250));
            level.throttled();
        }

        // Then
        assertThat(level.rate()).isLessThan(150);

        // When it has ended
        pass(Duration.ofSeconds(5));
        assertThat(level.rate()).as("back at the usual rate").isGreaterThan(1_000);
        pass(Duration.ofSeconds(6));
        assertThat(level.rate()).isInfinite();
    }

    @Test
    void neverExceedsTheConfiguredRateAfterAThrottle() {
        WriteLevel level = new WriteLevel(200, now::get);
        level.throttled();
        assertThat(level.rate()).isEqualTo(100);
        pass(Duration.ofSeconds(60));
        assertThat(level.rate()).isEqualTo(200);
    }

    @Test
    void waitsForWhatWasTakenBeyondTheEstimate() {
        WriteLevel level = new WriteLevel(100, now::get);
        assertThat(level.tryTake(10)).isTrue();
        level.correct(10, 110);
        pass(Duration.ofMillis(500));
        assertThat(level.tryTake(1)).isFalse();
        pass(Duration.ofMillis(600));
        assertThat(level.tryTake(1)).isTrue();
    }

    private double taken(WriteLevel level, double units, Duration time) {
        double taken = 0;
        for (Duration passed = Duration.ZERO; passed.compareTo(time) < 0; passed = passed.plusMillis(10)) {
            while (level.tryTake(units)) {
                taken += units;
            }
            pass(Duration.ofMillis(10));
        }
        return taken;
    }

    private void pass(Duration time) {
        now.addAndGet(time.toNanos());
    }
}
