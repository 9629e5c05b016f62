package dev.windrow.writer.flow;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Clock;
import java.time.Instant;
import java.util.Random;

import org.junit.jupiter.api.Test;

import dev.windrow.dataset.Datasets;
import dev.windrow.dataset.yaml.DatasetsYaml;
import dev.windrow.writer.aggregate.Aggregation;
import dev.windrow.writer.aggregate.ClaimUnitBuilder;
import dev.windrow.writer.decode.MemoryBudget;
import dev.windrow.writer.message.Message;
import dev.windrow.writer.testing.ReadMessage;
import dev.windrow.writer.testing.TestUnits;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;

class FlowMetricsTest {

    private static final Datasets DATASETS = DatasetsYaml.parse("test", """
            windrow:
              datasets:
                clicks: {event-type: click, label: [page], granularities: [minute], measures: {events: {type: count}}}
                clicks-in-all: {event-type: click, label: [], granularities: [day], measures: {events: {type: count}}}
                views: {event-type: view, label: [page], granularities: [minute], measures: {events: {type: count}}}
            """);

    private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
    private final FlowMetrics metrics = new FlowMetrics(registry, Clock.systemUTC(), DATASETS);

    /** Prometheus sees an increase only from a counter that was there before. */
    @Test
    void everyDatasetIsThereAtZeroBeforeAnythingHappened() {
        assertThat(registry.find("windrow.writer.events.aggregated").counters())
                .extracting(counter -> counter.getId().getTag("dataset") + " " + counter.count())
                .containsExactlyInAnyOrder("clicks 0.0", "clicks-in-all 0.0", "views 0.0");
    }

    @Test
    void anEventCountsInEachOfItsDatasets() {
        Message message = TestUnits.message("m", Instant.parse("2026-11-20T10:31:40Z"), """
                [{"type":"click","time":"2026-11-20T10:31:32Z","attributes":{"page":"/a"}},
                 {"type":"click","time":"2026-11-20T10:31:33Z","attributes":{"page":"/b"}}]""");
        ClaimUnitBuilder units = new Aggregation(DATASETS, Long.MAX_VALUE, new Random(1)).start(message,
                MemoryBudget.UNLIMITED);

        metrics.decoded(ReadMessage.decoder(DATASETS).decode(message, units, MemoryBudget.UNLIMITED), units);

        assertThat(registry.get("windrow.writer.events.decoded").counter().count()).isEqualTo(2);
        assertThat(registry.find("windrow.writer.events.aggregated").counters())
                .extracting(counter -> counter.getId().getTag("dataset") + " " + counter.count())
                .containsExactlyInAnyOrder("clicks 2.0", "clicks-in-all 2.0", "views 0.0");
    }
}
