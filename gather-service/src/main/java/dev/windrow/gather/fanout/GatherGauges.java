package dev.windrow.gather.fanout;

import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.quarkus.runtime.StartupEvent;

/** Shows how much is under way; all of it is zero when nobody asks. */
@Singleton
class GatherGauges {

    void register(@Observes StartupEvent start, MeterRegistry registry, Gatherer gatherer, FanoutBeans.ReadPermits reads) {
        Gauge.builder("windrow.gather.reads.in.flight", reads.permits(), AsyncPermits::running)
                .description("Reads under way").register(registry);
        Gauge.builder("windrow.gather.reads.waiting", reads.permits(), AsyncPermits::waiting)
                .description("Reads that wait for their turn").register(registry);
        Gauge.builder("windrow.gather.answers.in.flight", gatherer, Gatherer::running)
                .description("Answers being gathered").register(registry);
        Gauge.builder("windrow.gather.streams.in.flight", gatherer, Gatherer::streaming)
                .description("Streams being gathered").register(registry);
        Gauge.builder("windrow.gather.answers.waiting", gatherer, Gatherer::waiting)
                .description("Answers that wait for their turn").register(registry);
    }
}
