package dev.windrow.writer.journal.apply;

import java.util.TreeMap;

/** The cells of one granularity: where the oldest additions that they lack are. Not thread-safe. */
final class Tier {

    private final String granularity;
    private final long writeEveryNanos;
    private final boolean prompt;
    /** How many cells lack additions from a position on. */
    private final TreeMap<Long, Integer> cellsByOldest = new TreeMap<>();

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

    void anchor(long position) {
        cellsByOldest.merge(position, 1, Integer::sum);
    }

    void release(long position) {
        cellsByOldest.computeIfPresent(position, (at, cells) -> cells == 1 ? null : cells - 1);
    }

    boolean isWhole() {
        return cellsByOldest.isEmpty();
    }

    /** The first position that some cell lacks; only if it is not whole. */
    long oldest() {
        return cellsByOldest.firstKey();
    }
}
