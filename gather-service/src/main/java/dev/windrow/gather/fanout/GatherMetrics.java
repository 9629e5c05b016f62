package dev.windrow.gather.fanout;

import java.time.Duration;

import jakarta.inject.Singleton;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;

/** The fan-out's metrics. */
@Singleton
class GatherMetrics {

    private final MeterRegistry registry;
    private final Timer reads;
    private final Counter items;
    private final Counter readUnits;
    private final Counter hedges;

    GatherMetrics(MeterRegistry registry) {
        this.registry = registry;
        this.reads = Timer.builder("windrow.gather.reads").description("Pages read from shards").register(registry);
        this.items = Counter.builder("windrow.gather.items").description("Items read, before filters").register(registry);
        this.readUnits = Counter.builder("windrow.gather.read.units").description("Read units consumed").register(registry);
        this.hedges = Counter.builder("windrow.gather.hedges").description("Further requests to slow shards")
                .register(registry);
    }

    void read(Duration took, ShardPage page) {
        reads.record(took);
        items.increment(page.scannedItems());
        readUnits.increment(page.readUnits());
    }

    void failed(Throwable failure) {
        Counter.builder("windrow.gather.read.failures").description("Reads that failed, by reason")
                .tag("reason", GatherException.reasonOf(failure).word()).register(registry).increment();
    }

    void hedged() {
        hedges.increment();
    }
}
