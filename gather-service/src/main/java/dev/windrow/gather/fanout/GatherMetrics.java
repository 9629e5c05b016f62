package dev.windrow.gather.fanout;

import java.time.Duration;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;

import jakarta.inject.Singleton;

import dev.windrow.base.Reason;
import dev.windrow.dataset.Dataset;
import dev.windrow.dataset.Datasets;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;

/** The fan-out's metrics. */
@Singleton
class GatherMetrics implements ReadListener {

    private final Timer reads;
    private final Counter hedges;
    private final Map<Reason, Counter> failures;
    private final Map<Reason, Counter> incomplete;
    private final Map<String, DatasetCounters> datasets;

    GatherMetrics(MeterRegistry registry, Datasets datasets) {
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
}
