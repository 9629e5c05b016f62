package dev.windrow.gather.read;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;

import org.junit.jupiter.api.Test;

import dev.windrow.gather.read.Hedging.HedgeBudget;
import dev.windrow.gather.read.Hedging.LatencyQuantile;

class HedgePolicyTest {

    @Test
    void hedgesStayWithinTheBudget() {
        HedgeBudget budget = new HedgeBudget(0.05);
        int taken = 0;
        for (int read = 0; read < 10_000; read++) {
            budget.earn();
            taken += budget.take() ? 1 : 0;
        }

        assertThat(taken).isBetween(490, 500);
    }

    @Test
    void savedHedgesAreFew() {
        HedgeBudget budget = new HedgeBudget(0.05);
        for (int read = 0; read < 10_000; read++) {
            budget.earn();
        }
        int taken = 0;
        while (budget.take()) {
            taken++;
        }

        assertThat(taken).isEqualTo(20);
    }

    @Test
    void slowIsWhatAQuantileOfLateReadsWasNot() {
        LatencyQuantile latencies = new LatencyQuantile(0.95, Duration.ofNanos(10));
        for (int i = 1; i < 64; i++) {
            latencies.add(i);
        }
        assertThat(latencies.slow()).isEmpty();
        for (int i = 64; i <= 1_024; i++) {
            latencies.add(i);
        }

        assertThat(latencies.slow()).hasValueSatisfying(slow -> assertThat(slow.toNanos()).isBetween(1_090L, 1_105L));
    }

    @Test
    void noReadIsHedgedWhereThatIsTurnedOff() {
        Hedging off = new Hedging(false, new HedgeBudget(1), new LatencyQuantile(0.95, Duration.ZERO));
        for (int i = 0; i < 1_000; i++) {
            assertThat(off.started()).isEmpty();
            off.answered(i);
        }
    }
}
