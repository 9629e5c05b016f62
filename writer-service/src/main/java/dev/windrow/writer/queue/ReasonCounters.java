package dev.windrow.writer.queue;

import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;

import dev.windrow.base.Reason;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;

/**
 * A counter for each reason, all registered at 0 from the start: Prometheus sees an increase only between two samples, so a
 * counter that appears with its first event hides that event from alerts.
 */
public final class ReasonCounters {

    private final Map<Reason, Counter> counters = new EnumMap<>(Reason.class);

    public ReasonCounters(MeterRegistry registry, String name, String description) {
        for (Reason reason : Reason.values()) {
            counters.put(reason,
                    Counter.builder(name).description(description).tag("reason", reason.word()).register(registry));
        }
    }

    /** Counts one event. */
    public void increment(Reason reason) {
        Objects.requireNonNull(counters.get(reason)).increment();
    }
}
