package dev.windrow.writer.queue;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Clock;
import java.util.Arrays;
import java.util.List;
import java.util.Set;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import dev.windrow.base.Reason;
import dev.windrow.dataset.Datasets;
import dev.windrow.writer.DecodeStage.FlowMetrics;
import dev.windrow.writer.JournalMetrics;
import dev.windrow.writer.table.TableWriter.WriteMetrics;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;

/** An alert on an increase fires at the first event only where the counter was seen at 0 before. */
class ReasonsFromTheStartTest {

    private final SimpleMeterRegistry registry = new SimpleMeterRegistry();

    @ParameterizedTest
    @ValueSource(strings = { "windrow.writer.dead.letters", "windrow.writer.journal.parked",
            "windrow.writer.messages.returned", "windrow.writer.receive.failures", "windrow.writer.write.failures" })
    void everyReasonIsThereAtZeroBeforeAnythingHappened(String name) {
        new FlowMetrics(registry, Clock.systemUTC(), new Datasets(List.of(), Set.of()), () -> false);
        new JournalMetrics(registry);
        new QueueMetrics(registry, new InFlightLimiter(1, 1, () -> 0));
        new WriteMetrics(registry);

        assertThat(registry.find(name).counters()).extracting(counter -> counter.getId().getTag("reason"))
                .containsExactlyInAnyOrderElementsOf(Arrays.stream(Reason.values()).map(Reason::word).toList());
        assertThat(registry.find(name).counters()).extracting(Counter::count).containsOnly(0.0);
    }
}
