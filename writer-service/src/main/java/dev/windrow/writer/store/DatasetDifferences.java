package dev.windrow.writer.store;

import java.util.ArrayList;
import java.util.List;

import dev.windrow.dataset.DatasetShape;
import dev.windrow.reason.InvalidInputException;
import dev.windrow.reason.Reason;

/** How declared datasets differ from those that a table was written with, and what harm that does. */
final class DatasetDifferences {

    /** Those by which a redelivered message could count twice, for people. */
    private final List<String> counted = new ArrayList<>();
    /** Those by which queries of the index could miss buckets, for people. */
    private final List<String> indexed = new ArrayList<>();

    /** Adds a dataset that the table was not written with. */
    void addNew(String dataset) {
        counted.add(dataset + ": new");
    }

    /** Adds how a dataset differs, if it does. */
    void add(String dataset, DatasetShape registered, DatasetShape declared) {
        registered.differences(declared).forEach(difference -> counted.add(dataset + ": " + difference));
        registered.indexDifference(declared).ifPresent(difference -> indexed.add(dataset + ": " + difference));
    }

    boolean isEmpty() {
        return counted.isEmpty() && indexed.isEmpty();
    }

    /** All of them, for people. */
    List<String> all() {
        List<String> all = new ArrayList<>(counted);
        all.addAll(indexed);
        return all;
    }

    /** @param fingerprint accepts the declared datasets */
    InvalidInputException refusal(String table, String fingerprint) {
        StringBuilder text = new StringBuilder("expected those that table ").append(table).append(" was written with: ")
                .append(String.join("; ", all()));
        if (!counted.isEmpty()) {
            text.append(". Messages that were received before the change and are not deleted yet could count twice");
        }
        if (!indexed.isEmpty()) {
            text.append(". Buckets that were written before a granularity is added to the index are not in it, and queries that"
                    + " read the index could miss them");
        }
        text.append(". Either restore the datasets, or ").append(counted.isEmpty()
                ? "declare a new one with this index, or "
                : "let the writers that run empty the queue, stop them, and ")
                .append("start with windrow.writer.accept-datasets=").append(fingerprint);
        return new InvalidInputException(Reason.DATASETS_CHANGED, "datasets", text.toString());
    }
}
