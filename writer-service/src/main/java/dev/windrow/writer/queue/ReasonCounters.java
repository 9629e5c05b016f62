package dev.windrow.writer.queue;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;

import dev.windrow.base.Reason;
import dev.windrow.base.Reason.Of;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;

/**
 * A counter for each reason that can be expected, registered at 0 from the start: Prometheus sees an increase only between two
 * samples, so a counter that appears with its first event hides that event from alerts. Thread-safe.
 */
public final class ReasonCounters {

    private final Map<Reason, Counter> counters = new ConcurrentHashMap<>();
    private final Function<Reason, Counter> counter;

    /** @param doing whose doing the reasons are */
    public ReasonCounters(MeterRegistry registry, String name, String description, Of... doing) {
        this.counter = reason -> Counter.builder(name).description(description).tag("reason", reason.word()).register(registry);
        Reason.of(doing).forEach(reason -> counters.put(reason, counter.apply(reason)));
    }

    /** Counts one event. */
    public void increment(Reason reason) {
        counters.computeIfAbsent(reason, counter).increment();
    }
}
