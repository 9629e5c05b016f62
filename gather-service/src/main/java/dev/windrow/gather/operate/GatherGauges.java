package dev.windrow.gather.operate;

import java.util.List;

import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;

import org.eclipse.microprofile.health.Readiness;

import dev.windrow.base.AdaptiveLimit;
import dev.windrow.base.AdmissionQueue;
import dev.windrow.gather.operate.WarmUp.TableReadiness;
import dev.windrow.gather.read.Gatherer;
import dev.windrow.gather.read.HeldMemory;
import dev.windrow.gather.read.Lanes;
import dev.windrow.gather.read.ReadProducer.ReadPermits;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.quarkus.runtime.ShutdownEvent;
import io.quarkus.runtime.StartupEvent;

/**
 * Shows how much is under way, all of it zero when there are no requests, and whether the gatherer is ready: one that is not
 * gets no requests, but still reports metrics. The gauges are removed at shutdown: the registry outlives the application where
 * it is restarted in one JVM, and would go on to show the previous application's numbers.
 */
@Singleton
class GatherGauges {

    private List<Meter> gauges = List.of();

    void register(@Observes StartupEvent start, MeterRegistry registry, Gatherer gatherer, ReadPermits reads,
            Lanes lanes, HeldMemory memory, @Readiness WarmUp warmUp, @Readiness TableReadiness table) {
        gauges = List.of(
                Gauge.builder("windrow.gather.reads.in.flight", reads.permits(), AdmissionQueue::running)
                        .description("Reads in flight").register(registry),
                Gauge.builder("windrow.gather.reads.waiting", reads.permits(), AdmissionQueue::waiting)
                        .description("Reads waiting for their turn").register(registry),
                Gauge.builder("windrow.gather.reads.limit", reads.limit(), AdaptiveLimit::current)
                        .description("Reads that may be in flight, less than configured while the table is slow")
                        .register(registry),
                Gauge.builder("windrow.gather.queries.in.flight", gatherer, Gatherer::running)
                        .description("Queries running").register(registry),
                Gauge.builder("windrow.gather.streams.in.flight", gatherer, Gatherer::streaming)
                        .description("Streams running").register(registry),
                Gauge.builder("windrow.gather.held.bytes", memory, HeldMemory::held)
                        .description("Memory that queries and live streams hold, an estimate").register(registry),
                Gauge.builder("windrow.gather.lanes.abandoned", lanes, Lanes::abandoned)
                        .description("Abandoned lanes of the journal").register(registry),
                Gauge.builder("windrow.gather.queries.waiting", gatherer, Gatherer::waiting)
                        .description("Queries waiting for their turn").register(registry),
                Gauge.builder("windrow.gather.ready", () -> warmUp.isWarm() && !table.isMissing() ? 1 : 0)
                        .description("1 while the gatherer is ready, else 0").register(registry));
    }

    void remove(@Observes ShutdownEvent shutdown, MeterRegistry registry) {
        gauges.forEach(registry::remove);
    }
}
