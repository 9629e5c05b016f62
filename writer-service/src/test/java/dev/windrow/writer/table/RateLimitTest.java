package dev.windrow.writer.table;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.atomic.AtomicLong;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import dev.windrow.base.Reason;

class RateLimitTest {

    private final AtomicLong now = new AtomicLong(1_000_000);
    private final ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor();

    @AfterEach
    void stopTimer() {
        timer.shutdownNow();
    }

    @Test
    void allowsWhatIsConfigured() {
        RateLimit level = new RateLimit(100, now::get);
        assertThat(taken(level, 10, Duration.ofSeconds(10))).isBetween(1_000.0, 1_040.0);
    }

    @Test
    void allowsAnythingUntilItIsThrottled() {
        RateLimit level = new RateLimit(Double.POSITIVE_INFINITY, now::get);
        for (int i = 0; i < 10_000; i++) {
            assertThat(level.tryTake(100)).isTrue();
        }
    }

    @Test
    void halvesTheRateOncePerSwarmAndIsFreeAgainSecondsAfterTheStorm() {
        // Given a rate of about 1,000 units a second
        RateLimit level = new RateLimit(Double.POSITIVE_INFINITY, now::get);
        for (int i = 0; i < 20; i++) {
            pass(Duration.ofMillis(100));
            assertThat(level.tryTake(100)).isTrue();
        }

        // When
        level.throttled();
        level.throttled();

        // Then
        assertThat(level.rate()).isBetween(450.0, 550.0);

        // When throttling goes on for a minute
        for (int i = 0; i < 240; i++) {
            pass(Duration.ofMillis(250));
            level.throttled();
        }

        // Then
        assertThat(level.rate()).isLessThan(150);

        // When throttling has ended
        pass(Duration.ofSeconds(5));
        assertThat(level.rate()).as("back at the usual rate").isGreaterThan(1_000);
        pass(Duration.ofSeconds(6));
        assertThat(level.rate()).isInfinite();
    }

    /** Not every answer says that only its key is throttled. */
    @Test
    void oneKeyThatIsThrottledAgainAndAgainDoesNotHoldTheOthers() {
        // Given a table that takes a thousand units a second, but for one key
        RateLimit level = new RateLimit(Double.POSITIVE_INFINITY, now::get);
        takeAThousandASecond(level);
        RateTurns turns = new RateTurns(level, timer);
        WriteFailedException throttled = new WriteFailedException(Reason.THROTTLED, "no reason");

        // When it is throttled four times a second for a minute
        for (int i = 0; i < 240; i++) {
            turns.ended(write("hot"), null, throttled);
            for (int other = 0; other < 10; other++) {
                pass(Duration.ofMillis(25));
                turns.ended(write("key-" + other), new WriteResult(1, Map.of(), Map.of()), null);
            }
        }

        // Then
        assertThat(level.rate()).isGreaterThan(900);

        // But when the table throttles all keys
        for (int i = 0; i < 240; i++) {
            pass(Duration.ofMillis(250));
            turns.ended(write("key-" + i % 20), null, throttled);
        }
        assertThat(level.rate()).isLessThan(150);
    }

    private static TableWrite write(String partitionKey) {
        return TableWrite.single(new ItemUpdate(partitionKey, "day"));
    }

    @Test
    void isBackWithinTwoSecondsOfAStormAtWhatTheTableTookBefore() {
        // Given a table that takes a thousand units a second
        RateLimit level = new RateLimit(Double.POSITIVE_INFINITY, now::get);
        takeAThousandASecond(level);

        // When it takes nothing for five seconds
        for (int i = 0; i < 50; i++) {
            pass(Duration.ofMillis(100));
            level.throttled();
        }
        assertThat(level.rate()).isLessThan(200);

        // Then
        pass(Duration.ofMillis(200));
        assertThat(level.rate()).as("as long as it may only seem to be over").isLessThan(250);
        double highest = 0;
        for (int i = 0; i < 15; i++) {
            pass(Duration.ofMillis(100));
            highest = level.rate();
        }
        assertThat(highest).isGreaterThan(900);
    }

    @ParameterizedTest
    @ValueSource(doubles = { 1_000, 10_000, Double.POSITIVE_INFINITY })
    void settlesBelowWhatATableTakesThatTakesLessThanBefore(double limit) {
        // Given a table that took a thousand units a second, and now takes a hundred
        RateLimit level = new RateLimit(limit, now::get);
        takeAThousandASecond(level);
        int throttled = 0;
        int tries = 0;

        // When
        for (int second = 0; second < 60; second++) {
            int left = 100;
            for (int i = 0; i < 100; i++) {
                pass(Duration.ofMillis(10));
                while (level.tryTake(1)) {
                    boolean late = second >= 20;
                    tries += late ? 1 : 0;
                    if (left-- > 0) {
                        level.applied(1, 1);
                    } else {
                        throttled += late ? 1 : 0;
                        level.throttled();
                        break;
                    }
                }
            }
        }

        // Then
        assertThat(tries).as("in 40 seconds").isGreaterThan(40 * 60);
        assertThat((double) throttled / tries).isLessThan(0.4);
    }

    @Test
    void neverExceedsTheConfiguredRateAfterAThrottle() {
        RateLimit level = new RateLimit(200, now::get);
        level.applied(0, 200);
        level.throttled();
        assertThat(level.rate()).isEqualTo(100);
        pass(Duration.ofSeconds(60));
        assertThat(level.rate()).isEqualTo(200);
    }

    @Test
    void waitsForWhatWasTakenBeyondTheEstimate() {
        RateLimit level = new RateLimit(100, now::get);
        assertThat(level.tryTake(10)).isTrue();
        level.applied(10, 110);
        pass(Duration.ofMillis(500));
        assertThat(level.tryTake(1)).isFalse();
        pass(Duration.ofMillis(600));
        assertThat(level.tryTake(1)).isTrue();
    }

    private void takeAThousandASecond(RateLimit level) {
        for (int i = 0; i < 30; i++) {
            pass(Duration.ofMillis(100));
            assertThat(level.tryTake(100)).isTrue();
            level.applied(100, 100);
        }
    }

    private double taken(RateLimit level, double units, Duration time) {
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
