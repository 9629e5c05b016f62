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
    private final Map<Reason, Counter> failures = new EnumMap<>(Reason.class);

    GatherMetrics(MeterRegistry registry) {
        this.reads = Timer.builder("windrow.gather.reads").description("Pages read from shards").register(registry);
        this.items = Counter.builder("windrow.gather.items").description("Items read, before filters").register(registry);
        this.readUnits = Counter.builder("windrow.gather.read.units").description("Read units consumed").register(registry);
        this.hedges = Counter.builder("windrow.gather.hedged.reads").description("Second reads of slow shards")
                .register(registry);
        // At 0 from the start: Prometheus does not see the increase of a counter that appears with its first event.
        for (Reason reason : Reason.values()) {
            failures.put(reason, Counter.builder("windrow.gather.read.failures").description("Reads that failed, by reason")
                    .tag("reason", reason.word()).register(registry));
        }
    }

    void read(Duration took, ShardPage page) {
        reads.record(took);
        items.increment(page.scannedItems());
        readUnits.increment(page.readUnits());
    }

    void failed(Throwable failure) {
        Objects.requireNonNull(failures.get(GatherException.reasonOf(failure))).increment();
    }

    void hedged() {
        hedges.increment();
    }
}
