package dev.windrow.gather.operate;

import java.util.List;
import java.util.function.Supplier;

import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;

import org.eclipse.microprofile.health.Readiness;

import dev.windrow.gather.fanout.Gatherer;
import dev.windrow.gather.fanout.HeldMemory;
import dev.windrow.gather.read.Lanes;
import dev.windrow.gather.read.ReadPermits;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.quarkus.runtime.ShutdownEvent;
import io.quarkus.runtime.StartupEvent;

/**
 * Gauges of work in flight, all zero when there are no requests, and of readiness: a gatherer that is not ready gets no
 * requests, but still reports metrics. They are removed at shutdown: if the application is restarted in one JVM, the registry
 * outlives it and would go on to show the previous application's numbers.
 */
@Singleton
class GatherGauges {

    private List<Meter> gauges = List.of();

    void register(@Observes StartupEvent start, MeterRegistry registry, Gatherer gatherer, ReadPermits reads,
            Lanes lanes, HeldMemory memory, @Readiness WarmUp warmUp, @Readiness TableReadiness table) {
        gauges = List.of(
                gauge(registry, "windrow.gather.reads.in.flight", "Reads in flight", reads.permits()::running),
                gauge(registry, "windrow.gather.reads.waiting", "Reads waiting for their turn", reads.permits()::waiting),
                gauge(registry, "windrow.gather.reads.limit",
                        "Reads that may be in flight, less than configured while the table is slow",
                        reads.limit()::current),
                gauge(registry, "windrow.gather.queries.in.flight", "Queries running", gatherer::running),
                gauge(registry, "windrow.gather.streams.in.flight", "Streams running", gatherer::streaming),
                gauge(registry, "windrow.gather.held.bytes", "Memory that queries and live streams hold, an estimate",
                        memory::held),
                gauge(registry, "windrow.gather.lanes.abandoned", "Abandoned lanes of the journal", lanes::abandoned),
                gauge(registry, "windrow.gather.queries.waiting", "Queries waiting for their turn", gatherer::waiting),
                gauge(registry, "windrow.gather.ready", "1 while the gatherer is ready, else 0",
                        () -> warmUp.isWarm() && !table.isMissing() ? 1 : 0));
    }

    private static Meter gauge(MeterRegistry registry, String name, String description, Supplier<Number> value) {
        return Gauge.builder(name, value).description(description).register(registry);
    }

    void remove(@Observes ShutdownEvent shutdown, MeterRegistry registry) {
        gauges.forEach(registry::remove);
    }
}
