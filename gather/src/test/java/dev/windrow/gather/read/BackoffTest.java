package dev.windrow.gather.read;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.HashSet;
import java.util.Set;
import java.util.random.RandomGenerator;

import org.junit.jupiter.api.Test;

import dev.windrow.gather.read.ShardRead.RetryPolicy;
import dev.windrow.testing.Seeds;

class BackoffTest {

    private static final RandomGenerator RANDOM = Seeds.random("BackoffTest");

    private final RetryPolicy backoff = new RetryPolicy(1, Duration.ofMillis(20), Duration.ofMillis(100), () -> RANDOM);

    @Test
    void pausesDoubleAndVaryByHalfOfTheFirst() {
        for (int i = 0; i < 1_000; i++) {
            assertThat(backoff.pause(0).toMillis()).isBetween(10L, 30L);
            assertThat(backoff.pause(1).toMillis()).isBetween(30L, 50L);
            assertThat(backoff.pause(2).toMillis()).isBetween(70L, 90L);
        }
    }

    @Test
    void noPauseIsLongerThanTheMaximum() {
        for (int retry = 3; retry < 1_000; retry++) {
            assertThat(backoff.pause(retry).toMillis()).isBetween(90L, 100L);
        }
        RetryPolicy constant = new RetryPolicy(1, Duration.ofMillis(20), Duration.ofMillis(20), () -> RANDOM);
        for (int retry = 0; retry < 100; retry++) {
            assertThat(constant.pause(retry).toMillis()).isBetween(10L, 20L);
        }
    }

    @Test
    void everyPauseOfTheRangeOccurs() {
        Set<Long> drawn = new HashSet<>();
        for (int i = 0; i < 10_000; i++) {
            drawn.add(backoff.pause(0).toMillis());
        }

        assertThat(drawn).hasSize(21);
    }

    @Test
    void noPauseIsPossible() {
        assertThat(new RetryPolicy(1, Duration.ZERO, Duration.ZERO, () -> RANDOM).pause(5)).isZero();
    }
}
