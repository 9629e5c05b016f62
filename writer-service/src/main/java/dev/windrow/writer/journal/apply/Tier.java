package dev.windrow.writer.journal.apply;

import java.util.TreeMap;

/** The cells of one granularity: which lack something, and from which record on. Not thread-safe. */
final class Tier {

    private final String granularity;
    private final long writeEveryNanos;
    private final boolean prompt;
    /** How many cells lack additions from a position on. */
    private final TreeMap<Long, Integer> cellsByOldest = new TreeMap<>();
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

    /** A cell with that sort key lacks additions from a position on. */
    void anchor(long position, String sortKey) {
        cellsByOldest.merge(position, 1, Integer::sum);
        cellsBySortKey.merge(sortKey, 1, Integer::sum);
    }

    /** A cell has what it lacked from a position on. */
    void release(long position, String sortKey) {
        cellsByOldest.computeIfPresent(position, (at, cells) -> cells == 1 ? null : cells - 1);
        cellsBySortKey.computeIfPresent(sortKey, (key, cells) -> cells == 1 ? null : cells - 1);
    }

    boolean isWhole() {
        return cellsByOldest.isEmpty();
    }

    /** The first position that some cell lacks; only if it is not whole. */
    long oldest() {
        return cellsByOldest.firstKey();
    }

    /** The sort key of the earliest bucket that lacks something; only if it is not whole. */
    String earliestSortKey() {
        return cellsBySortKey.firstKey();
    }
}
