package dev.windrow.writer.journal.apply;

import java.util.TreeMap;

/** The cells of one granularity: which lack something, and from which record on. Not thread-safe. */
final class Tier {

    private final String granularity;
    private final long writeEveryNanos;
    private final boolean prompt;
    /** How many cells lack additions from a position on, or from the record on that holds them deferred. */
    private final TreeMap<Long, Integer> cellsByOldest = new TreeMap<>();
    /** How many of those lack additions since a time, in milliseconds since the epoch. */
    private final TreeMap<Long, Integer> cellsByMillis = new TreeMap<>();
    /** How many of those have a sort key; in one granularity, sort keys are in the order of bucket starts. */
    private final TreeMap<String, Integer> cellsBySortKey = new TreeMap<>();

    Tier(String granularity, WriteEvery writeEvery) {
        this.granularity = granularity;
        this.writeEveryNanos = writeEvery.nanos(granularity);
        this.prompt = writeEvery.isPrompt(granularity);
    }

    String granularity() {
        return granularity;
    }

    long writeEveryNanos() {
        return writeEveryNanos;
    }

    boolean isPrompt() {
        return prompt;
    }

    /** What a cell lacks counts from now on. */
    void anchor(Cell cell) {
        cellsByOldest.merge(cell.anchor(), 1, Integer::sum);
        cellsByMillis.merge(cell.oldestMillis(), 1, Integer::sum);
        cellsBySortKey.merge(cell.key().item().sortKey(), 1, Integer::sum);
    }

    /** What a cell lacks does not count any more, as it changes: to be called before. */
    void release(Cell cell) {
        cellsByOldest.computeIfPresent(cell.anchor(), (at, cells) -> cells == 1 ? null : cells - 1);
        cellsByMillis.computeIfPresent(cell.oldestMillis(), (at, cells) -> cells == 1 ? null : cells - 1);
        cellsBySortKey.computeIfPresent(cell.key().item().sortKey(), (key, cells) -> cells == 1 ? null : cells - 1);
    }

    boolean isWhole() {
        return cellsByOldest.isEmpty();
    }

    /**
     * When the oldest additions were claimed that some cell lacks, in milliseconds since the epoch; only if it is not whole.
     */
    long oldestMillis() {
        return cellsByMillis.firstKey();
    }

    /** The first position that some cell lacks, or that holds deferred additions of one; only if it is not whole. */
    long oldest() {
        return cellsByOldest.firstKey();
    }

    /** The sort key of the earliest bucket that lacks something; only if it is not whole. */
    String earliestSortKey() {
        return cellsBySortKey.firstKey();
    }
}
