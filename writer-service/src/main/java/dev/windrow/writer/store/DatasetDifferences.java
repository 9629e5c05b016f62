package dev.windrow.writer.store;

import java.util.ArrayList;
import java.util.List;

import dev.windrow.base.InvalidInputException;
import dev.windrow.base.Reason;
import dev.windrow.dataset.DatasetShape;

/** How declared datasets differ from those that a table was written with, and what harm that does. */
final class DatasetDifferences {

    private static final int MAX_LISTED = 20;
    private static final int MAX_CHARACTERS = 250;

    /** Those by which a redelivered message could count twice, for people. */
    private final List<String> counted = new ArrayList<>();
    /** Those by which queries of the index could miss buckets, for people. */
    private final List<String> indexed = new ArrayList<>();
    private boolean hasOtherKeys;

    /** Adds a dataset that the table was not written with. */
    void addNew(String dataset) {
        counted.add(dataset + ": new");
    }

    /** Adds how a dataset differs, if it does. */
    void add(String dataset, DatasetShape registered, DatasetShape declared) {
        registered.differences(declared).forEach(difference -> counted.add(dataset + ": " + difference));
        hasOtherKeys |= !registered.keyDifferences(declared).isEmpty();
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

    /** The first of them: the message has to end with what to do. */
    private String listed() {
        List<String> all = all();
        List<String> first = new ArrayList<>(all.subList(0, Math.min(all.size(), MAX_LISTED)));
        first.replaceAll(difference -> difference.length() <= MAX_CHARACTERS ? difference
                : difference.substring(0, MAX_CHARACTERS) + "…");
        if (all.size() > MAX_LISTED) {
            first.add("and " + (all.size() - MAX_LISTED) + " more");
        }
        return String.join("; ", first);
    }

    /** @param fingerprint accepts the declared datasets */
    InvalidInputException refusal(String table, String fingerprint) {
        StringBuilder text = new StringBuilder("expected those that table ").append(table).append(" was written with: ")
                .append(listed());
        if (!counted.isEmpty()) {
            text.append(". Messages that were received before the change and are not deleted yet could count twice");
        }
        if (hasOtherKeys) {
            text.append(
                    ". With another label, partition or key-shards, what was written before is not found any more: declare a new"
                            + " dataset instead, which is counted beside the old one");
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
