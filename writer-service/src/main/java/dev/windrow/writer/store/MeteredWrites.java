package dev.windrow.writer.store;

import dev.windrow.writer.metrics.ReasonCounters;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import io.smallrye.mutiny.Uni;

/** Measures each request to the table. */
public final class MeteredWrites implements TableWrites {

    private final TableWrites writes;
    private final MeterRegistry registry;
    private final Counter transactions;
    private final Counter updates;
    private final Counter units;
    private final Counter conditions;
    private final Timer duration;
    private final ReasonCounters failures;

    public MeteredWrites(TableWrites writes, MeterRegistry registry) {
        this.writes = writes;
        this.registry = registry;
        this.transactions = counter("windrow.writer.transactions", "Transactions that were applied");
        this.updates = counter("windrow.writer.updates", "Single updates that were applied");
        this.units = counter("windrow.writer.write.units",
                "Write units consumed from table and index, as reported by the table");
        this.conditions = counter("windrow.writer.condition.failures",
                "Writes whose condition did not hold: claims of known messages, what was applied before, and extremes that lost");
        this.duration = Timer.builder("windrow.writer.write").description("Duration of requests to the table")
                .register(registry);
        this.failures = new ReasonCounters(registry, "windrow.writer.write.failures",
                "Writes that failed, each attempt counted");
    }

    @Override
    public Uni<WriteResult> write(TableWrite write) {
        return Uni.createFrom().deferred(() -> {
            Timer.Sample sample = Timer.start(registry);
            return writes.write(write)
                    .onTermination().invoke(() -> sample.stop(duration))
                    .invoke(receipt -> {
                        (write.transactional() ? transactions : updates).increment();
                        units.increment(receipt.units());
                    })
                    .onFailure().invoke(this::failed);
        });
    }

    private void failed(Throwable failure) {
        if (failure instanceof ConditionFailedException) {
            conditions.increment();
        } else if (failure instanceof WriteFailedException write) {
            failures.increment(write.reason());
        }
    }

    private Counter counter(String name, String description) {
        return Counter.builder(name).description(description).register(registry);
    }
}
