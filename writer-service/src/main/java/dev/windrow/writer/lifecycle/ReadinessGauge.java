package dev.windrow.writer.lifecycle;

import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;

import dev.windrow.writer.store.TableHealth;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.quarkus.runtime.StartupEvent;

/**
 * Shows whether events are counted, from the start of the process on. Stricter than the readiness probe: a rollout must not
 * stop because an operator paused the writer or a receive failed.
 */
@Singleton
class ReadinessGauge {

    private final WriterState state;
    private final TableHealth table;

    ReadinessGauge(WriterState state, TableHealth table) {
        this.state = state;
        this.table = table;
    }

    void register(@Observes StartupEvent start, MeterRegistry registry) {
        Gauge.builder("windrow.writer.ready", this, self -> self.isReady() ? 1 : 0)
                .description("1 while the writer receives from all queues and the table accepts writes, else 0")
                .register(registry);
    }

    private boolean isReady() {
        return state.isReceiving() && table.problem() == null;
    }
}
