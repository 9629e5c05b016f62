package dev.windrow.writer;

import static dev.windrow.writer.testing.TestMessages.queue;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Clock;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;

import org.jboss.logmanager.LogContext;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import dev.windrow.base.FailureCause;
import dev.windrow.base.Reason;
import dev.windrow.dataset.Datasets;
import dev.windrow.dataset.DatasetsYaml;
import dev.windrow.testing.LogLines;
import dev.windrow.writer.decode.Message;
import dev.windrow.writer.decode.SourceQueue;
import dev.windrow.writer.metrics.ReasonCounters;
import dev.windrow.writer.queue.InFlightLimiter;
import dev.windrow.writer.queue.QueueMetrics;
import dev.windrow.writer.table.TableWriter.WriteMetrics;
import dev.windrow.writer.testing.TestUnits;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;

class FlowMetricsTest {

    private static final Datasets DATASETS = DatasetsYaml.parse("test", """
            windrow:
              datasets:
                clicks: {event-type: click, label: [page], granularities: [minute], measures: {events: {type: count}}}
                clicks-in-all: {event-type: click, label: [], granularities: [day], measures: {events: {type: count}}}
                views: {event-type: view, label: [page], granularities: [minute], measures: {events: {type: count}}}
            """);
    private static final Instant NOW = Instant.parse("2026-11-20T10:32:00Z");
    private static final SourceQueue QUEUE = queue("events");

    private final AtomicReference<Instant> now = new AtomicReference<>(NOW);
    private final InstantSource time = now::get;
    private final Clock clock = time.withZone(ZoneOffset.UTC);
    private final AtomicBoolean heldBack = new AtomicBoolean();
    private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
    private final FlowMetrics metrics = new FlowMetrics(registry, clock, DATASETS, heldBack::get);

    /** Prometheus sees an increase only from a counter that was there before. */
    @Test
    void everyDatasetIsThereAtZeroBeforeAnythingHappened() {
        assertThat(registry.find("windrow.writer.events.aggregated").counters())
                .extracting(counter -> counter.getId().getTag("dataset") + " " + counter.count())
                .containsExactlyInAnyOrder("clicks 0.0", "clicks-in-all 0.0", "views 0.0");
    }

    /** An alert on an increase fires at the first event only where the counter was seen at 0 before. */
    @ParameterizedTest
    @CsvSource({ "windrow.writer.dead.letters, true", "windrow.writer.journal.parked, false",
            "windrow.writer.messages.returned, false", "windrow.writer.receive.failures, false",
            "windrow.writer.write.failures, false" })
    void everyReasonThatCanBeExpectedIsThereAtZeroBeforeAnythingHappened(String name, boolean ofEvents) {
        new JournalMetrics(registry);
        new QueueMetrics(registry, new InFlightLimiter(1, 1, () -> 0));
        new WriteMetrics(registry);

        assertThat(registry.find(name).counters()).extracting(counter -> counter.getId().getTag("reason"))
                .containsExactlyInAnyOrderElementsOf(
                        (ofEvents ? Reason.of(FailureCause.EVENT, FailureCause.WORLD) : Reason.of(FailureCause.WORLD)).stream()
                                .map(Reason::word).toList());
        assertThat(registry.find(name).counters()).extracting(Counter::count).containsOnly(0.0);
    }

    @Test
    void aReasonThatNobodyExpectedIsCountedAsWell() {
        new ReasonCounters(registry, "failures", "Failures", FailureCause.WORLD).increment(Reason.NOT_JSON);

        assertThat(registry.get("failures").tag("reason", "not-json").counter().count()).isEqualTo(1);
        assertThat(registry.find("failures").counters()).hasSize(Reason.of(FailureCause.WORLD).size() + 1);
    }

    @Test
    void theAgeOfMessagesIsThatOfTheLastReceiveAndUnknownWithoutOne() {
        assertThat(age()).isNaN();

        receive(40, 2);
        assertThat(age()).isEqualTo(40);

        receive();
        assertThat(age()).isZero();
    }

    /** A queue that cannot be read any more must not look as healthy as it was. */
    @Test
    void theAgeOfMessagesIsUnknownFromAFailedReceiveUntilOneSucceeds() {
        receive(40);

        metrics.receiveFailed(QUEUE, Reason.ACCESS_DENIED);
        assertThat(age()).isNaN();
        assertThat(registry.get("windrow.writer.receive.failures").tag("reason", "access-denied").counter().count())
                .isEqualTo(1);

        receive(50);
        assertThat(age()).isEqualTo(50);
    }

    /** Where receiving has ended, the last value must not stay. */
    @Test
    void theAgeOfMessagesIsUnknownOnceNoReceiveHasEndedForAMinute() {
        receive(40);

        now.set(NOW.plusSeconds(60));
        assertThat(age()).isEqualTo(40);

        now.set(NOW.plusSeconds(61));
        assertThat(age()).isNaN();

        receive();
        assertThat(age()).isZero();
    }

    /** An alert on the age must not resolve because the table is down. */
    @Test
    void theAgeOfMessagesStaysWhileMemoryHoldsReceivesBack() {
        receive(400);
        heldBack.set(true);

        now.set(NOW.plusSeconds(3_600));
        assertThat(age()).isEqualTo(400);
    }

    @Test
    void aQueueThatFailsDoesNotHideTheAgeOfMessagesInAnother() {
        metrics.received(queue("other"), List.of(TestUnits.message("m", NOW.minusSeconds(40), "{}")));
        receive();
        assertThat(age()).isEqualTo(40);

        metrics.receiveFailed(QUEUE, Reason.TIMED_OUT);
        assertThat(age()).isEqualTo(40);
    }

    @Test
    void anAttributeThatNoEventHasIsCountedAndWarnedOfOnceAMinute() {
        // Given
        Datasets datasets = DatasetsYaml.parse("test", """
                windrow:
                  datasets:
                    clicks: {event-type: click, label: [], granularities: [day], measures: {events: {type: count},
                      bytes: {type: sum, attribute: bytes}, least: {type: min, attribute: Bytes}}}
                    clicks-in-all: {event-type: click, label: [], granularities: [day], measures: {events: {type: count}}}
                    views: {event-type: view, label: [], granularities: [day], measures: {ms: {type: sum, attribute: ms}}}
                """);
        FlowMetrics flow = new FlowMetrics(registry, clock, datasets, heldBack::get);
        Message message = TestUnits.message("m", NOW, """
                [{"type":"click","time":"2026-11-20T10:31:32Z","attributes":{"bytes":1}},
                 {"type":"click","time":"2026-11-20T10:31:33Z","attributes":{"bytes":null}}]""");
        TestUnits.Read read = TestUnits.read(datasets, Long.MAX_VALUE, message);

        // When
        flow.decoded(read.decoded(), read.units());

        // Then an event counts in each of its datasets
        assertThat(registry.get("windrow.writer.events.decoded").counter().count()).isEqualTo(2);
        assertThat(registry.find("windrow.writer.events.aggregated").counters())
                .extracting(counter -> counter.getId().getTag("dataset") + " " + counter.count())
                .containsExactlyInAnyOrder("clicks 2.0", "clicks-in-all 2.0", "views 0.0");
        assertThat(registry.find("windrow.writer.events.without.attribute").counters())
                .extracting(counter -> counter.getId().getTag("dataset") + " " + counter.getId().getTag("measure") + " "
                        + counter.count())
                .containsExactlyInAnyOrder("clicks bytes 1.0", "clicks least 2.0", "views ms 0.0");

        // When a minute ends, and another one without events
        try (LogLines log = LogLines.of(LogContext.getLogContext().getLogger(DecodeStage.class.getName()))) {
            flow.received(QUEUE, List.of());
            assertThat(log.all()).isEmpty();
            now.set(NOW.plusSeconds(60));
            flow.received(QUEUE, List.of());
            now.set(NOW.plusSeconds(180));
            flow.received(QUEUE, List.of());

            // Then
            assertThat(log.all()).singleElement().asString()
                    .contains("no event of dataset clicks in the last minute has the attribute that measure least reads");
        }
    }

    private void receive(Integer... agesInSeconds) {
        metrics.received(QUEUE,
                Stream.of(agesInSeconds).map(age -> TestUnits.message("m", NOW.minusSeconds(age), "{}")).toList());
    }

    private double age() {
        return registry.get("windrow.writer.queue.age").gauge().value();
    }
}
