package dev.windrow.gather.fanout;

import java.time.Duration;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;

import jakarta.inject.Singleton;

import dev.windrow.reason.Reason;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;

/** The fan-out's metrics. */
@Singleton
class GatherMetrics {

    private final Timer reads;
    private final Counter items;
    private final Counter readUnits;
    private final Counter hedges;
    private final Map<Reason, Counter> failures;
    private final Map<Reason, Counter> incomplete;

    GatherMetrics(MeterRegistry registry) {
        this.reads = Timer.builder("windrow.gather.reads").description("Pages read from shards").register(registry);
        this.items = Counter.builder("windrow.gather.items").description("Items read, before filters").register(registry);
        this.readUnits = Counter.builder("windrow.gather.read.units").description("Read units consumed").register(registry);
        this.hedges = Counter.builder("windrow.gather.hedged.reads").description("Second reads of slow shards")
                .register(registry);
        this.failures = byReason(registry, "windrow.gather.read.failures", "Reads that failed, by reason");
        this.incomplete = byReason(registry, "windrow.gather.incomplete.answers",
                "Answers and streams that lack the data of some shards, by the reasons of these shards");
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

    void read(Duration took, ShardPage page) {
        reads.record(took);
        items.increment(page.scannedItems());
        readUnits.increment(page.readUnits());
    }

    void failed(Throwable failure) {
        Objects.requireNonNull(failures.get(GatherException.reasonOf(failure))).increment();
    }

    void incomplete(GatherReport report) {
        report.failures().keySet().forEach(reason -> Objects.requireNonNull(incomplete.get(reason)).increment());
    }

    void hedged() {
        hedges.increment();
    }
}
