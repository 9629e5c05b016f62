package dev.windrow.gather.management;

import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;

import org.eclipse.microprofile.health.Readiness;
import org.jspecify.annotations.Nullable;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.quarkus.runtime.ShutdownEvent;
import io.quarkus.runtime.StartupEvent;

/**
 * Shows whether the gatherer is ready: one that is not gets no requests, but still reports metrics. The gauge is removed at
 * shutdown, as the registry outlives the application where that is restarted in one JVM.
 */
@Singleton
class ReadinessGauge {

    private final WarmUp warmUp;
    private final TableReadiness table;
    private @Nullable Meter gauge;

    ReadinessGauge(@Readiness WarmUp warmUp, @Readiness TableReadiness table) {
        this.warmUp = warmUp;
        this.table = table;
    }

    void register(@Observes StartupEvent start, MeterRegistry registry) {
        gauge = Gauge.builder("windrow.gather.ready", this, self -> self.isReady() ? 1 : 0)
                .description("1 while the gatherer is ready, else 0").register(registry);
    }

    void remove(@Observes ShutdownEvent shutdown, MeterRegistry registry) {
        if (gauge != null) {
            registry.remove(gauge);
        }
    }

    private boolean isReady() {
        return warmUp.isWarm() && !table.isMissing();
    }
}
