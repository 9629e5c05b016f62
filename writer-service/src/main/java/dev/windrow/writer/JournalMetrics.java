package dev.windrow.writer;

import java.util.function.ToDoubleFunction;

import dev.windrow.base.FailureCause;
import dev.windrow.base.Reason;
import dev.windrow.table.TableSchema;
import dev.windrow.writer.journal.JournalStatus;
import dev.windrow.writer.metrics.ReasonCounters;
import dev.windrow.writer.queue.QueueMetrics;
import dev.windrow.writer.table.JournalRun;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;

public final class JournalMetrics {

    private final MeterRegistry registry;
    private final ReasonCounters parked;
    private final ReasonCounters deadLetters;
    private final Counter unreadable;

    public JournalMetrics(MeterRegistry registry) {
        this.registry = registry;
        this.parked = new ReasonCounters(registry, "windrow.writer.journal.parked",
                "Additions to a bucket that its item rejected, sent to the dead-letter queue", FailureCause.WORLD);
        this.deadLetters = new ReasonCounters(registry, "windrow.writer.dead.letters",
                "Events or messages sent to the dead-letter queue", FailureCause.EVENT, FailureCause.WORLD);
        this.unreadable = QueueMetrics.counter(registry, "windrow.writer.journal.unreadable",
                "Lanes found that this writer cannot recover, and minutes whose claims it cannot read");
    }

    public void show(JournalRun journal) {
        counter("windrow.writer.flushes", journal, JournalStatus::claims,
                "Claims of messages, each with everything that they add");
        counter("windrow.writer.duplicates.dropped", journal, JournalStatus::duplicates,
                "Claim units that were claimed before");
        gauge("windrow.writer.journal.lane", journal, JournalStatus::lane,
                "Number of the lane that the writer holds, -1 if it has none");
        gauge("windrow.writer.journal.lanes.taken", journal, JournalStatus::taken,
                "Lanes that cannot be taken by another writer, as last seen: at most " + TableSchema.MAX_LANES);
        gauge("windrow.writer.journal.waiting", journal, JournalStatus::waitingUnits,
                "Claim units in memory that are not claimed yet");
        gauge("windrow.writer.journal.records", journal, JournalStatus::records,
                "Claimed records that are not yet fully applied to their buckets");
        gauge("windrow.writer.journal.cells", journal, JournalStatus::cells,
                "Buckets, and extremes of buckets, that lack something claimed");
        gauge("windrow.writer.journal.deferred", journal, JournalStatus::deferred,
                "Buckets, and extremes of buckets, whose items take no update, so that others do not wait for them");
        gauge("windrow.writer.journal.abandoned", journal, JournalStatus::abandoned,
                "Lanes without a holder whose additions are not in the table, as last seen");
        gauge("windrow.writer.journal.recovering", journal, status -> status.recovering() ? 1 : 0,
                "Whether the writer recovers another lane");
    }

    private void counter(String name, JournalRun journal, ToDoubleFunction<JournalStatus> value, String description) {
        FunctionCounter.builder(name, journal, run -> value.applyAsDouble(run.status()))
                .description(description).register(registry);
    }

    private void gauge(String name, JournalRun journal, ToDoubleFunction<JournalStatus> value, String description) {
        Gauge.builder(name, journal, run -> value.applyAsDouble(run.status())).description(description).register(registry);
    }

    void parked(Reason reason) {
        parked.increment(reason);
        deadLetters.increment(reason);
    }

    void unreadable() {
        unreadable.increment();
    }
}
