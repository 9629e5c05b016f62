package dev.windrow.writer.queue;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Clock;
import java.util.List;
import java.util.Set;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import dev.windrow.base.Reason;
import dev.windrow.base.Reason.Of;
import dev.windrow.dataset.Datasets;
import dev.windrow.writer.DecodeStage.FlowMetrics;
import dev.windrow.writer.WriterJournal.JournalMetrics;
import dev.windrow.writer.queue.QueueMetrics.ReasonCounters;
import dev.windrow.writer.table.TableWriter.WriteMetrics;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;

/** An alert on an increase fires at the first event only where the counter was seen at 0 before. */
class ReasonsFromTheStartTest {

    private final SimpleMeterRegistry registry = new SimpleMeterRegistry();

    @ParameterizedTest
    @CsvSource({ "windrow.writer.dead.letters, true", "windrow.writer.journal.parked, false",
            "windrow.writer.messages.returned, false", "windrow.writer.receive.failures, false",
            "windrow.writer.write.failures, false" })
    void everyReasonThatCanBeExpectedIsThereAtZeroBeforeAnythingHappened(String name, boolean ofEvents) {
        new FlowMetrics(registry, Clock.systemUTC(), new Datasets(List.of(), Set.of(), List.of()), () -> false);
        new JournalMetrics(registry);
        new QueueMetrics(registry, new InFlightLimiter(1, 1, () -> 0));
        new WriteMetrics(registry);

        assertThat(registry.find(name).counters()).extracting(counter -> counter.getId().getTag("reason"))
                .containsExactlyInAnyOrderElementsOf((ofEvents ? Reason.of(Of.EVENT, Of.WORLD) : Reason.of(Of.WORLD)).stream()
                        .map(Reason::word).toList());
        assertThat(registry.find(name).counters()).extracting(Counter::count).containsOnly(0.0);
    }

    @Test
    void aReasonThatNobodyExpectedIsCountedAsWell() {
        new ReasonCounters(registry, "failures", "Failures", Of.WORLD).increment(Reason.NOT_JSON);

        assertThat(registry.get("failures").tag("reason", "not-json").counter().count()).isEqualTo(1);
        assertThat(registry.find("failures").counters()).hasSize(Reason.of(Of.WORLD).size() + 1);
    }
}
