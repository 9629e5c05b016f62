package dev.windrow.gather.read;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;

import org.junit.jupiter.api.Test;

class HedgePolicyTest {

    @Test
    void hedgesStayWithinTheBudget() {
        Hedging budget = new Hedging(true, 0.05, 0.95, Duration.ZERO);
        int taken = 0;
        for (int read = 0; read < 10_000; read++) {
            budget.started();
            taken += budget.take() ? 1 : 0;
        }

        assertThat(taken).isBetween(490, 500);
    }

    @Test
    void savedHedgesAreFew() {
        Hedging budget = new Hedging(true, 0.05, 0.95, Duration.ZERO);
        for (int read = 0; read < 10_000; read++) {
            budget.started();
        }
        int taken = 0;
        while (budget.take()) {
            taken++;
        }

        assertThat(taken).isEqualTo(20);
    }

    @Test
    void slowIsWhatAQuantileOfLateReadsWasNot() {
        Hedging latencies = new Hedging(true, 0.05, 0.95, Duration.ofNanos(10));
        for (int i = 1; i < 64; i++) {
            latencies.answered(i);
        }
        assertThat(latencies.started()).isEmpty();
        for (int i = 64; i <= 1_024; i++) {
            latencies.answered(i);
        }

        assertThat(latencies.started()).hasValueSatisfying(slow -> assertThat(slow.toNanos()).isBetween(1_090L, 1_105L));
    }

    @Test
    void noReadIsHedgedWhereThatIsTurnedOff() {
        Hedging off = new Hedging(false, 1, 0.95, Duration.ZERO);
        for (int i = 0; i < 1_000; i++) {
            assertThat(off.started()).isEmpty();
            off.answered(i);
        }
    }
}
