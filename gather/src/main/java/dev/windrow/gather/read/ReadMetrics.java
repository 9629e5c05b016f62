package dev.windrow.gather.read;

import java.time.Duration;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;

import jakarta.inject.Singleton;

import dev.windrow.base.Reason;
import dev.windrow.dataset.Dataset;
import dev.windrow.dataset.Datasets;
import dev.windrow.gather.read.ShardRead.ReadListener;
import dev.windrow.gather.read.ShardReader.ShardPage;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;

/** The fan-out's metrics. */
@Singleton
class ReadMetrics implements ReadListener {

    private final Timer reads;
    private final Counter hedges;
    private final Map<Reason, Counter> failures;
    private final Map<Reason, Counter> incomplete;
    private final Map<String, DatasetCounters> datasets;

    ReadMetrics(MeterRegistry registry, Datasets datasets) {
        this.reads = Timer.builder("windrow.gather.reads").description("Pages read from shards").register(registry);
        this.hedges = Counter.builder("windrow.gather.hedged.reads").description("Hedged reads of slow shards")
                .register(registry);
        this.failures = byReason(registry, "windrow.gather.read.failures", "Reads that failed, by reason");
        this.incomplete = byReason(registry, "windrow.gather.incomplete.answers",
                "Answers and streams that lack the data of some shards, by the reasons of these shards");
        this.datasets = datasets.all().stream()
                .collect(Collectors.toMap(Dataset::name, dataset -> new DatasetCounters(registry, dataset)));
    }

    /** At 0 from the start: Prometheus does not see the increase of a counter that appears with its first event. */
    private static Map<Reason, Counter> byReason(MeterRegistry registry, String name, String description) {
        Map<Reason, Counter> counters = new EnumMap<>(Reason.class);
        for (Reason reason : Reason.values()) {
            counters.put(reason,
                    Counter.builder(name).description(description).tag("reason", reason.word()).register(registry));
        }
        return counters;
    }

    @Override
    public void read(Dataset dataset, long tookNanos, ShardPage page) {
        reads.record(Duration.ofNanos(tookNanos));
        of(dataset).read(page);
    }

    @Override
    public void failed(Throwable failure) {
        Objects.requireNonNull(failures.get(GatherException.reasonOf(failure))).increment();
    }

    /** An answer or a stream; one that is read from a roll-up counts for the roll-up. */
    void ended(Dataset dataset, GatherReport report) {
        of(dataset).ended(report);
        report.failures().keySet().forEach(reason -> Objects.requireNonNull(incomplete.get(reason)).increment());
    }

    @Override
    public void hedged() {
        hedges.increment();
    }

    private DatasetCounters of(Dataset dataset) {
        return Objects.requireNonNull(datasets.get(dataset.name()));
    }

    /**
     * Counters of one dataset. The tag {@code dataset} has as many values as there are declared datasets, all of them from the
     * start.
     */
    static final class DatasetCounters {

        private final Counter complete;
        private final Counter incomplete;
        private final Counter items;
        private final Counter readUnits;

        DatasetCounters(MeterRegistry registry, Dataset dataset) {
            this.complete = answers(registry, dataset, true);
            this.incomplete = answers(registry, dataset, false);
            this.items = counter("windrow.gather.items", "Items read, before filters", dataset).register(registry);
            this.readUnits = counter("windrow.gather.read.units", "Read units consumed", dataset).register(registry);
        }

        private static Counter answers(MeterRegistry registry, Dataset dataset, boolean complete) {
            return counter("windrow.gather.answers", "Answers and streams gathered, by whether they have all of their shards",
                    dataset).tag("complete", Boolean.toString(complete)).register(registry);
        }

        private static Counter.Builder counter(String name, String description, Dataset dataset) {
            return Counter.builder(name).description(description).tag("dataset", dataset.name());
        }

        void read(ShardPage page) {
            items.increment(page.scannedItems());
            readUnits.increment(page.readUnits());
        }

        void ended(GatherReport report) {
            (report.isComplete() ? complete : incomplete).increment();
        }
    }
}
