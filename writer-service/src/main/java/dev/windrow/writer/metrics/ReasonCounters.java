package dev.windrow.writer.metrics;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;

import dev.windrow.base.FailureCause;
import dev.windrow.base.Reason;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;

/**
 * A counter for each expected reason, registered at 0 from the start: Prometheus sees an increase only between two
 * samples, so a counter that appears with its first event hides that event from alerts. Thread-safe.
 */
public final class ReasonCounters {

    private final Map<Reason, Counter> counters = new ConcurrentHashMap<>();
    private final Function<Reason, Counter> counter;

    /** @param doing the causes whose reasons are registered from the start */
    public ReasonCounters(MeterRegistry registry, String name, String description, FailureCause... doing) {
        this.counter = reason -> Counter.builder(name).description(description).tag("reason", reason.word())
                .register(registry);
        Reason.of(doing).forEach(reason -> counters.put(reason, counter.apply(reason)));
    }

    public void increment(Reason reason) {
        counters.computeIfAbsent(reason, counter).increment();
    }
}
