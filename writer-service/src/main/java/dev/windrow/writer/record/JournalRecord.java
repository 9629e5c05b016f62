package dev.windrow.writer.record;

import java.util.List;

/**
 * The additions of one claim; or, if it has spans, additions of earlier records that buckets still lack. It never changes once
 * it is written, and holds all that is needed to apply it.
 *
 * @param claimedMillis when it was made, in milliseconds since the epoch by the writer's clock
 * @param additions of a claim: at most one per bucket. Of a deferral: the parts of each cell in order, one addition each
 * @param spans of a claim: none. Of a deferral: the records that each addition is from
 */
public record JournalRecord(long claimedMillis, List<Addition> additions, List<Span> spans) {

    /** The records that an addition is from: first and last position, and when the first was claimed. */
    public record Span(long first, long last, long claimedMillis) {
    }

    /** Creates the record of a claim. */
    public JournalRecord(long claimedMillis, List<Addition> additions) {
        this(claimedMillis, additions, List.of());
    }

    /** Whether its additions are from earlier records, and buckets have not taken them so far. */
    public boolean isDeferred() {
        return !spans.isEmpty();
    }

}
