package dev.windrow.gather.fanout;

import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;

import jakarta.inject.Singleton;

import dev.windrow.base.FailureCause;
import dev.windrow.base.Reason;
import dev.windrow.dataset.Dataset;
import dev.windrow.dataset.Datasets;
import dev.windrow.gather.read.GatherException;
import dev.windrow.gather.read.ReadListener;
import dev.windrow.gather.read.ShardPage;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Meter.MeterProvider;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;

@Singleton
public class ReadMetrics implements ReadListener {

    private static final String REASON = "reason";

    private final Timer reads;
    private final Counter hedges;
    private final MeterProvider<Counter> failures;
    private final MeterProvider<Counter> incomplete;
    private final Map<String, DatasetCounters> datasets;

    ReadMetrics(MeterRegistry registry, Datasets datasets) {
        this.reads = Timer.builder("windrow.gather.reads").description("Pages read from shards").register(registry);
        this.hedges = Counter.builder("windrow.gather.hedged.reads").description("Hedged reads of slow shards")
                .register(registry);
        this.failures = byReason(registry, "windrow.gather.read.failures", "Reads that failed, by reason");
        this.incomplete = byReason(registry, "windrow.gather.incomplete.answers",
                "Answers and streams that lack the data of some shards, by the reasons of these shards");
        this.datasets = datasets.all().stream()
                .collect(Collectors.toMap(Dataset::name, dataset -> DatasetCounters.of(registry, dataset)));
    }

    /** Registers the expected reasons at 0: Prometheus does not see the first increase of a counter that appears later. */
    private static MeterProvider<Counter> byReason(MeterRegistry registry, String name, String description) {
        MeterProvider<Counter> counters = Counter.builder(name).description(description).withRegistry(registry);
        Reason.of(FailureCause.WORLD).forEach(reason -> counters.withTag(REASON, reason.word()));
        return counters;
    }

    @Override
    public void read(Dataset dataset, long tookNanos, ShardPage page) {
        reads.record(Duration.ofNanos(tookNanos));
        of(dataset).items.increment(page.scannedItems());
        of(dataset).readUnits.increment(page.readUnits());
    }

    @Override
    public void failed(Throwable failure) {
        failures.withTag(REASON, GatherException.reasonOf(failure).word()).increment();
    }

    /** Counts an answer or a stream; one that is read from a roll-up counts for the roll-up. */
    public void ended(Dataset dataset, GatherReport report) {
        (report.isComplete() ? of(dataset).complete : of(dataset).incomplete).increment();
        report.failures().keySet().forEach(reason -> incomplete.withTag(REASON, reason.word()).increment());
    }

    @Override
    public void hedged() {
        hedges.increment();
    }

    private DatasetCounters of(Dataset dataset) {
        return Objects.requireNonNull(datasets.get(dataset.name()));
    }

    /** Counters of one dataset. The tag {@code dataset} has one value per declared dataset, all of them from the start. */
    private record DatasetCounters(Counter complete, Counter incomplete, Counter items, Counter readUnits) {

        static DatasetCounters of(MeterRegistry registry, Dataset dataset) {
            String answers = "Answers and streams gathered, by whether they have all of their shards";
            return new DatasetCounters(
                    counter("windrow.gather.answers", answers, dataset).tag("complete", "true").register(registry),
                    counter("windrow.gather.answers", answers, dataset).tag("complete", "false").register(registry),
                    counter("windrow.gather.items", "Items read, before filters", dataset).register(registry),
                    counter("windrow.gather.read.units", "Read units consumed", dataset).register(registry));
        }

        private static Counter.Builder counter(String name, String description, Dataset dataset) {
            return Counter.builder(name).description(description).tag("dataset", dataset.name());
        }
    }
}
