package dev.windrow.writer.journal.record;

import java.util.List;

/**
 * What one claim adds. It never changes once it is claimed, and holds all that is needed to apply it.
 *
 * @param claimedMillis when it was made, in milliseconds since the epoch by the claiming writer's clock
 * @param additions each bucket at most once
 */
public record JournalRecord(long claimedMillis, List<Addition> additions) {

    public JournalRecord {
        additions = List.copyOf(additions);
    }
}
