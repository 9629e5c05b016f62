package dev.windrow.gather.fanout;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;

import org.junit.jupiter.api.Test;

import dev.windrow.reason.Reason;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;

class GatherMetricsTest {

    /** An increase is seen only from a counter that was there before. */
    @Test
    void everyReasonOfAFailedReadIsThereAtZeroBeforeAnythingHappened() {
        SimpleMeterRegistry registry = new SimpleMeterRegistry();

        GatherMetrics metrics = new GatherMetrics(registry);

        assertThat(registry.find("windrow.gather.read.failures").counters())
                .extracting(counter -> counter.getId().getTag("reason"))
                .containsExactlyInAnyOrderElementsOf(Arrays.stream(Reason.values()).map(Reason::word).toList());
        assertThat(registry.find("windrow.gather.read.failures").counters()).extracting(Counter::count).containsOnly(0.0);
        metrics.failed(new GatherException(Reason.THROTTLED, "too fast"));
        assertThat(registry.get("windrow.gather.read.failures").tag("reason", "throttled").counter().count()).isEqualTo(1);
    }
}
