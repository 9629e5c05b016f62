package dev.windrow.gather.fanout;

import dev.windrow.dataset.Dataset;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;

/**
 * Counters of one dataset. The tag {@code dataset} has as many values as there are declared datasets, all of them from the
 * start.
 */
final class DatasetCounters {

    private final Counter complete;
    private final Counter incomplete;
    private final Counter items;
    private final Counter readUnits;

    DatasetCounters(MeterRegistry registry, Dataset dataset) {
        this.complete = answers(registry, dataset, true);
        this.incomplete = answers(registry, dataset, false);
        this.items = counter("windrow.gather.items", "Items read, before filters", dataset).register(registry);
        this.readUnits = counter("windrow.gather.read.units", "Read units consumed", dataset).register(registry);
    }

    private static Counter answers(MeterRegistry registry, Dataset dataset, boolean complete) {
        return counter("windrow.gather.answers", "Answers and streams gathered, by whether they have all of their shards",
                dataset).tag("complete", Boolean.toString(complete)).register(registry);
    }

    private static Counter.Builder counter(String name, String description, Dataset dataset) {
        return Counter.builder(name).description(description).tag("dataset", dataset.name());
    }

    void read(ShardPage page) {
        items.increment(page.scannedItems());
        readUnits.increment(page.readUnits());
    }

    void ended(GatherReport report) {
        (report.isComplete() ? complete : incomplete).increment();
    }
}
