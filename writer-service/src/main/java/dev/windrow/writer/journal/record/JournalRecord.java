package dev.windrow.writer.journal.record;

import java.util.List;

/**
 * What one claim adds; or, if it has spans, what buckets still lack of the records before it. It never changes once it is
 * written, and holds all that is needed to apply it.
 *
 * @param claimedMillis when it was made, in milliseconds since the epoch by the writer's clock
 * @param additions of a claim: each bucket at most once. Else the parts of each cell in order, each an addition of its own
 * @param spans of a claim: none. Else which records each addition is of
 */
public record JournalRecord(long claimedMillis, List<Addition> additions, List<Span> spans) {

    /**
     * The records that an addition is of.
     *
     * @param first the position of the first that adds to the cell
     * @param last the position of the last
     * @param claimedMillis when the first was claimed
     */
    public record Span(long first, long last, long claimedMillis) {
    }

    public JournalRecord {
        additions = List.copyOf(additions);
        spans = List.copyOf(spans);
    }

    /** Of a claim. */
    public JournalRecord(long claimedMillis, List<Addition> additions) {
        this(claimedMillis, additions, List.of());
    }

    /** Whether its additions are of earlier records, which buckets did not take so far. */
    public boolean isDeferred() {
        return !spans.isEmpty();
    }
}
